#include "paint/text.h"

#include <segment/context.h>
#include <segment/names.h>

json_t *paint_text(const char *text) {
    char *plain = seg_name_encode(text, SEG_NAME_JSON);
    json_t *made = plain ? json_string(plain) : NULL;
    seg_free(plain);
    return made;
}
