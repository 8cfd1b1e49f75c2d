/* The processor whose kernels OpenBLAS runs here, as OPENBLAS_CORETYPE names it; another BLAS says nothing of it. */
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
    char *(*name)(void) = NULL;
    *(void **)&name = dlsym(RTLD_DEFAULT, "openblas_get_corename");
    puts(name ? name() : "none");
    return 0;
}
