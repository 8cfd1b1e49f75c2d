#include <segment/version.h>

const char *seg_version(void) {
    return SEG_VERSION;
}

int seg_version_number(void) {
    return SEG_VERSION_NUMBER;
}
