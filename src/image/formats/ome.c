/* What the description of a TIFF says of its pages: OME's XML, of which attributes of one element are all that is
 * needed, or lines of ImageJ such as "channels=3". */
#include "base/base.h"
#include "image/formats/vips_image.h"

/* The value of an attribute of the element that ends at `end`; NULL: it has none. */
static const char *attribute(const char *element, const char *end, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = element; (at = memmem(at, (size_t)(end - at), name, length)) != NULL; at += length)
        if ((at[-1] == ' ' || at[-1] == '\n' || at[-1] == '\t') && at[length] == '=' && strchr("\"'", at[length + 1]))
            return at + length + 2;
    return NULL;
}

static double number_of(const char *element, const char *end, const char *name) {
    const char *text = attribute(element, end, name);
    char *rest;
    const double value = text ? seg_decimal(text, &rest) : 0;
    return value > 0 && value < 1e9 ? value : 0;
}

/* A unit of length, of which none is a micrometre; 0: unknown. */
static double micrometres(const char *unit) {
    static const struct {
        const char *name;
        double size;
    } units[] = {{"pm", 1e-6}, {"nm", 1e-3}, {"\u00b5m", 1}, {"\u03bcm", 1}, {"&#181;m", 1},
                 {"um", 1},    {"mm", 1e3},  {"cm", 1e4},    {"m", 1e6},     {"pixel", 1}};
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (strncmp(unit, units[i].name, strlen(units[i].name)) == 0 && strchr("\"'", unit[strlen(units[i].name)]))
            return units[i].size;
    return unit ? 0 : 1;
}

static double line_of(const char *text, const char *name, double otherwise) {
    const char *at = strstr(text, name);
    return at ? fmin(fmax(seg_decimal(at + strlen(name), NULL), 0), 1e9) : otherwise;
}

/* Its pages follow each other by channel, slice and frame. Without a unit its pixels are 1 wide. */
static void read_imagej(const char *text, double resolution, seg_ome *out) {
    const double c = line_of(text, "\nchannels=", 1), frames = line_of(text, "\nframes=", 1);
    const double images = line_of(text, "\nimages=", 1), z = line_of(text, "\nslices=", images / fmax(c * frames, 1));
    out->images = (int)images;
    if (frames > 1 || !(c * z >= 1 && c * z <= SEG_MAX_STACK))
        return;
    out->slices = (int)z;
    out->channels = (int)c;
    out->channels_first = 1;
    out->spacing = line_of(text, "\nspacing=", 0) * (strstr(text, "\nunit=") ? resolution : 1);
}

const char *seg_ome_read(const char *text, double resolution, seg_ome *out) {
    const char *ome = strstr(text, "<OME"), *pixels = ome ? strstr(ome, "<Pixels") : NULL;
    const char *end = pixels ? strchr(pixels, '>') : NULL;
    memset(out, 0, sizeof *out);
    if (strncmp(text, "ImageJ=", 7) == 0)
        read_imagej(text, resolution, out);
    if (!ome)
        return NULL;
    if (strstr(text, "<!DOCTYPE") || strstr(text, "<!ENTITY"))
        return "defines entities, which are not read";
    if (!end || !strstr(end, "OME>"))
        return "is cut off";
    const double z = number_of(pixels, end, "SizeZ"), c = number_of(pixels, end, "SizeC");
    const double across = number_of(pixels, end, "PhysicalSizeX"), apart = number_of(pixels, end, "PhysicalSizeZ");
    const char *order = attribute(pixels, end, "DimensionOrder");
    const char *unit = attribute(pixels, end, "PhysicalSizeXUnit"), *of_z = attribute(pixels, end, "PhysicalSizeZUnit");
    if (!(z * c * number_of(pixels, end, "SizeT") >= 1) || !order)
        return "does not say how large the image is";
    if (number_of(pixels, end, "SizeT") > 1 || z * c > SEG_MAX_STACK) /* pages are named one by one */
        return NULL;
    out->slices = (int)z;
    out->channels = (int)c;
    out->channels_first = strncmp(order, "XYC", 3) == 0;
    if (across > 0 && micrometres(unit) > 0)
        out->spacing = apart * micrometres(of_z) / (across * micrometres(unit));
    return NULL;
}
