# nlohmann-json: reports, preferences, glTF. MIT. Debian 12: nlohmann-json3-dev 3.11.2.
find_package(nlohmann_json CONFIG QUIET)
if(NOT TARGET nlohmann_json::nlohmann_json)
  bvlab_fetch(nlohmann_json https://github.com/nlohmann/json.git bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d) # 3.11.2
endif()
