# Fails if OBJECT has a function or a variable.
execute_process(COMMAND ${NM} ${OBJECT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES "bv")
  message(FATAL_ERROR "${OBJECT} has symbols:\n${symbols}")
endif()
