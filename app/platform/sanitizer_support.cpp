// Sanitizer builds only. Graphics drivers unload their modules at exit, and memory that these never freed is
// then reported as a leak without symbols. So modules stay loaded, and known leaks of drivers are suppressed.
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
