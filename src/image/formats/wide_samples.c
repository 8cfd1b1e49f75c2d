#include "image/formats/wide_samples.h"

#include "base/base.h"
#include "image/formats/vips_calls.h"

#include <math.h>

#define MOST 65535u

double seg_wide_number(const void *numbers, size_t i, int format) {
    switch (format) {
    case SEG_VIPS_UCHAR:
        return ((const uint8_t *)numbers)[i];
    case SEG_VIPS_CHAR:
        return ((const int8_t *)numbers)[i];
    case SEG_VIPS_USHORT:
        return ((const uint16_t *)numbers)[i];
    case SEG_VIPS_SHORT:
        return ((const int16_t *)numbers)[i];
    case SEG_VIPS_UINT:
        return ((const uint32_t *)numbers)[i];
    case SEG_VIPS_INT:
        return ((const int32_t *)numbers)[i];
    case SEG_VIPS_FLOAT:
        return (double)((const float *)numbers)[i];
    default:
        return ((const double *)numbers)[i];
    }
}

double seg_wide_full(int format) {
    static const double full[] = {255, 127, 65535, 32767, 4294967295., 2147483647., 1};
    return format < (int)(sizeof full / sizeof *full) ? full[format] : 1;
}

void seg_wide_look(seg_wide *w, double value) {
    if (!isfinite(value)) {
        w->strange = 1;
        return;
    }
    w->low = value < w->low ? value : w->low;
    w->high = value > w->high ? value : w->high;
    w->whole &= value == floor(value);
}

void seg_wide_choose(seg_context *ctx, const char *name, int format, seg_wide *w) {
    if (w->strange)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has samples that are not numbers; they are taken as black", name);
    if (!(w->low <= w->high)) /* no number at all */
        return;
    if (format >= SEG_VIPS_FLOAT && w->low >= 0 && w->high <= 1) {
        w->scale = MOST;
    } else if (!w->whole || w->low < 0 || w->high > MOST) {
        w->offset = w->low;
        w->scale = w->high > w->low ? MOST / (w->high - w->low) : 0;
        seg_log(ctx, SEG_LOG_INFO, "'%s' has samples from %g to %g; they are spread over 16 bits", name, w->low,
                w->high);
    }
}

uint16_t seg_wide_stored(const seg_wide *w, double value) {
    const double v = (value - w->offset) * w->scale;
    return v >= MOST ? MOST : v > 0 ? (uint16_t)(v + 0.5) : 0; /* no number: 0 */
}
