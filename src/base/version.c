#include <segment/version.h>

const char *seg_version(void) {
    return SEG_VERSION;
}
