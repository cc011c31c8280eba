// Sanitizer builds only. Graphics drivers unload their modules at the end, and what the modules never gave
// back then counts as a leak of code that nobody can name any more. So modules stay loaded, and what is known
// to be the driver's own is not reported.
extern "C" {

int dlclose(void* handle);
int dlclose(void*) {
    return 0;
}

const char* __lsan_default_suppressions();   // NOLINT(bugprone-reserved-identifier): that is its name
const char* __lsan_default_suppressions() {  // NOLINT(bugprone-reserved-identifier)
    return "leak:swrast_dri.so\n"
           "leak:_dri.so\n"
           "leak:libEGL_mesa.so\n"
           "leak:libGLX_mesa.so\n"
           "leak:libGLdispatch.so\n"
           "leak:libLLVM\n"
           "leak:libicuuc\n"
           "leak:libX11.so\n";
}

}  // extern "C"
