#include "image/formats/raw_names.h"
#include "base/base.h"

#include <string.h>
#include <strings.h>

const char *seg_raw_name(const unsigned char *bytes, size_t size) {
    static const struct {
        size_t offset;
        const char *magic;
        size_t length;
        const char *what;
    } raws[] = {
        {8, "CR\x02", 3, "a Canon raw image (CR2)"},   {4, "ftypcrx", 7, "a Canon raw image (CR3)"},
        {6, "HEAPCCDR", 8, "a Canon raw image (CRW)"}, {0, "FUJIFILMCCD-RAW", 15, "a Fujifilm raw image (RAF)"},
        {0, "IIRO", 4, "an Olympus raw image (ORF)"},  {0, "IIRS", 4, "an Olympus raw image (ORF)"},
        {0, "MMOR", 4, "an Olympus raw image (ORF)"},  {0, "IIU\0", 4, "a Panasonic raw image (RW2)"},
        {0, "FOVb", 4, "a Sigma raw image (X3F)"},     {0, "\0MRM", 4, "a Minolta raw image (MRW)"},
    };
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++)
        if (size >= raws[i].offset + raws[i].length &&
            memcmp(bytes + raws[i].offset, raws[i].magic, raws[i].length) == 0)
            return raws[i].what;
    return NULL;
}

const char *seg_raw_of_maker(const char *make) {
    static const struct {
        const char *make, *what;
    } makers[] = {{"nikon", "a Nikon raw image (NEF)"},     {"sony", "a Sony raw image (ARW)"},
                  {"pentax", "a Pentax raw image (PEF)"},   {"canon", "a Canon raw image"},
                  {"samsung", "a Samsung raw image (SRW)"}, {"hasselblad", "a Hasselblad raw image (3FR)"},
                  {"epson", "an Epson raw image (ERF)"},    {"kodak", "a Kodak raw image (DCR)"}};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (strncasecmp(make, makers[i].make, strlen(makers[i].make)) == 0)
            return makers[i].what;
    return "a camera raw image";
}

seg_status seg_refuse_raw(seg_context *ctx, const char *name, const char *what) {
    return seg_fail(
        ctx, SEG_ERR_INPUT,
        "'%s' is %s, which is not read: develop it in a raw converter (darktable, RawTherapee, the camera's "
        "own) and export a JPEG, PNG or TIFF",
        name, what);
}
