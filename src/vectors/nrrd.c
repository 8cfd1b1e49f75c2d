/* NRRD, the format of arrays of ITK and 3D Slicer: lines "field: value", an empty line, and the numbers, of which the
 * first axis is the fastest. They become a file of NPY in memory, so that everything that reads arrays reads them. */
#include "vectors/npy.h"

#include "base/base.h"

#define BLANKS " \t\r"
enum { LONGEST = 1 << 16, MOST = 4 }; /* bytes of a header, axes */

/* The value of a field; NULL: there is no such field. */
static const char *field(const char *header, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = header; *line; line = strchrnul(line, '\n'), line += *line == '\n')
        if (strncasecmp(line, name, length) == 0 && line[length] == ':' && line[length + 1] != '=')
            return line + length + 1 + strspn(line + length + 1, BLANKS);
    return NULL;
}

static int says(const char *value, const char *word) {
    const size_t length = strlen(word);
    return value && strncasecmp(value, word, length) == 0 && strchr(BLANKS "\n", value[length]);
}

/* The type of NPY that "unsigned short", "uint16" or "float" is. @return bytes of a number, 0: none */
static int type_of(const char *value, char *kind) {
    char text[32] = "";
    if (!value || sscanf(value, "%31[^\r\n]", text) != 1)
        return 0;
    const int is_float = strstr(text, "float") != NULL, is_double = strstr(text, "double") != NULL;
    *kind = is_float || is_double ? 'f' : text[0] == 'u' ? 'u' : 'i';
    return is_double || strstr(text, "long") || strstr(text, "64") ? 8
           : strstr(text, "char") || strchr(text, '8')             ? 1
           : strstr(text, "short") || strstr(text, "16")           ? 2
           : is_float || strstr(text, "int")                       ? 4
                                                                   : 0;
}

/* The distance of the third axis in units of the first, of axes that have one: numbers, or vectors "(0,0,2.5)". */
static double apart_of(const char *at) {
    double first = 0, last = 0;
    int count = 0;
    while (at && *at && *at != '\n') {
        char *end;
        double value = 0;
        if (*at == '(') {
            for (at++; *at && !strchr(")\n", *at); at += strspn(at, BLANKS ",")) {
                const double part = seg_decimal(at, &end);
                value += part * part;
                at = end > at ? end : at + 1;
            }
            at += *at == ')';
            value = sqrt(value);
        } else {
            value = seg_decimal(at, &end);
            at = end + strcspn(end, BLANKS "\n");
        }
        if (value > 0 && isfinite(value)) {
            first = count++ ? first : value;
            last = value;
        }
        at += strspn(at, BLANKS);
    }
    return count >= 3 && isnormal(last / first) ? last / first : 1;
}

static seg_status damaged(seg_context *ctx, const char *label, const char *why) {
    return seg_fail(ctx, SEG_ERR_INPUT, "'%s' is an NRRD file that cannot be read: %s", label, why);
}

/* The header of NPY, whose axes are in the opposite order; leading ones of more than two are left out. */
static seg_status translate(seg_context *ctx, const char *label, const char *header, char npy[256], size_t *bytes) {
    const char *sizes = field(header, "sizes"), *count = field(header, "dimension");
    char kind = 0, shape[128] = "";
    const int axes = count ? atoi(count) : 0, size = type_of(field(header, "type"), &kind);
    size_t extent[MOST];
    if (!size)
        return damaged(ctx, label, "its type is neither whole numbers nor float or double");
    if (axes < 2 || axes > MOST || !sizes)
        return damaged(ctx, label, "it must have a dimension of 2 to 4, and sizes");
    *bytes = (size_t)size;
    for (int i = 0; i < axes; i++) {
        char *end;
        extent[i] = strtoull(sizes, &end, 10);
        if (end == sizes || !extent[i] || !seg_multiply(*bytes, extent[i], bytes))
            return damaged(ctx, label, "its sizes are not as many numbers as it has dimensions");
        sizes = end;
    }
    int used = axes;
    while (used > 2 && extent[used - 1] == 1)
        used--;
    while (used-- > 0)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%zu, ", extent[used]);
    snprintf(npy, 256, "{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%s), }\n",
             says(field(header, "endian"), "big") ? '>' : '<', kind, size, shape);
    return SEG_OK;
}

seg_status seg_nrrd_to_npy(seg_context *ctx, const char *label, unsigned char **bytes, size_t *size, double *apart) {
    const char *text = (const char *)*bytes;
    char npy[256];
    size_t head = 0, wanted;
    if (*size < 8 || memcmp(text, "NRRD000", 7) != 0)
        return SEG_OK;
    for (size_t i = 8; i + 2 < *size && i < LONGEST && !head; i++)
        head = text[i] != '\n'                              ? 0
               : text[i + 1] == '\n'                        ? i + 2
               : text[i + 1] == '\r' && text[i + 2] == '\n' ? i + 3
                                                            : 0;
    SEG_LOCAL(char, header, strndup(text, head ? head : *size));
    if (!head || field(header, "data file") || field(header, "datafile"))
        return damaged(ctx, label, "its numbers are not in it; save them in the same file");
    SEG_TRY(translate(ctx, label, header, npy, &wanted));
    if (apart)
        *apart = apart_of(field(header, field(header, "spacings") ? "spacings" : "space directions"));
    const char *encoding = field(header, "encoding");
    const int packed = says(encoding, "gzip") || says(encoding, "gz");
    if ((!packed && !says(encoding, "raw")) || field(header, "byte skip") || field(header, "line skip"))
        return damaged(ctx, label, "its encoding must be raw or gzip, without skips");
    SEG_RELEASED(seg_loaded_free) seg_loaded data = {.label = label};
    if (packed)
        SEG_TRY(seg_unpack(ctx, *bytes + head, *size - head, &data));
    if ((packed ? data.size : *size - head) != wanted)
        return damaged(ctx, label, "it has another number of values than its sizes say");
    const size_t length = strlen(npy);
    unsigned char *made = seg_alloc(ctx, 10 + length + wanted, 1);
    SEG_TRY(seg_allocated(made));
    memcpy(made, "\x93NUMPY\x01\x00", 8);
    made[8] = (unsigned char)length;
    made[9] = 0;
    memcpy(made + 10, npy, length);
    memcpy(made + 10 + length, packed ? data.at : *bytes + head, wanted);
    free(*bytes);
    *bytes = made;
    *size = 10 + length + wanted;
    return SEG_OK;
}
