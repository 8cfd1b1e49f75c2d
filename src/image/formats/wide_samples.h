/* Samples that are signed, of 32 bits or floating-point numbers, made those of 16 bits. */
#ifndef SEG_IMAGE_FORMATS_WIDE_SAMPLES_H
#define SEG_IMAGE_FORMATS_WIDE_SAMPLES_H

#include <segment/context.h>

#include <stddef.h>
#include <stdint.h>

/* How they become those of 16 bits. Begin with SEG_WIDE_NONE. */
typedef struct seg_wide {
    double low, high;
    int whole, strange;   /* all are whole; some are not numbers, or endless */
    double scale, offset; /* (value - offset) * scale is stored */
} seg_wide;

#define SEG_WIDE_NONE                                                                                                  \
    (seg_wide) {                                                                                                       \
        INFINITY, -INFINITY, 1, 0, 1, 0                                                                                \
    }

/* Number i of some that are stored in a format of libvips, and the largest that one of full opacity is. */
double seg_wide_number(const void *numbers, size_t i, int format);
double seg_wide_full(int format);

void seg_wide_look(seg_wide *wide, double value);
/* When all were looked at: those that are whole and fit stay as they are (labels are), floating-point numbers of 0 to 1
 * are times 65535, all others such that the smallest becomes 0 and the largest 65535, which is logged. */
void seg_wide_choose(seg_context *ctx, const char *name, int format, seg_wide *wide);
uint16_t seg_wide_stored(const seg_wide *wide, double value);

#endif
