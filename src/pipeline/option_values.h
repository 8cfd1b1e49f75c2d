/* Values of options as fields and as texts. */
#pragma once

#include <segment/options.h>

/* Set the field of a row in any struct, such as that of a command of the program. The text of SEG_OPTION_TEXT must
 * outlive the struct; a flag does not use it. As seg_options_set. */
seg_status seg_option_set(seg_context *ctx, const seg_option *row, void *base, const char *text);
/* The value of a row's field as a text, in the room (of at least 32 bytes) or the field's own; NULL where the option is
 * not given and has no default, for several texts, for a flag not given, and where the room is too small. */
const char *seg_option_get(const seg_option *row, const void *base, char *text, size_t size);
