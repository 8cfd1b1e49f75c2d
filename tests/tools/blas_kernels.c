/* The name of the processor whose kernels OpenBLAS runs here, which OPENBLAS_CORETYPE asks for; another BLAS has none. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    char *(*name)(void) = NULL;
    *(void **)&name = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    puts(name ? name() : "none");
    return 0;
}
