#include "cli/common/extensions.h"
#include "cli/common/errors.h"
#include "cli/common/paths.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <segment/image.h>

enum { LONGEST = 8 };

/* Extensions of known formats. Other extensions (out.mask) are allowed for every output. */
static const char formats[] = SEG_IMAGE_FORMAT_ENDINGS
    ",psd,xcf,exr,svg,pdf,eps,ps,json,geojson,jsonl,xml,yaml,yml,html,htm,tex,md,txt,csv,tsv,npy,npz,mat,zip,gz,tar,"
    "doc,docx,odt,xls,xlsx,ods,log";

/* The part after the last point of the name: letters and digits, a letter first; NULL if it is not an extension. */
static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    if (!dot || dot == base || !isalpha((unsigned char)dot[1]) || strlen(dot + 1) > LONGEST)
        return NULL;
    for (const char *c = dot + 1; *c; c++)
        if (!isalnum((unsigned char)*c))
            return NULL;
    return dot + 1;
}

static int is_among(const char *ending, const char *list) {
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (strlen(ending) == length && strncasecmp(ending, list, length) == 0)
            return 1;
    }
    return 0;
}

int cli_next_ending(const char **list, char ending[16]) {
    const size_t length = strcspn(*list, ",");
    snprintf(ending, 16, ".%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return length > 0;
}

/* "png,jpg" gives ".png or .jpg". */
static void list_endings(const char *list, char *text, size_t size) {
    size_t used = 0;
    text[0] = 0;
    for (size_t length; *list && used < size; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        used += (size_t)snprintf(text + used, size - used, "%s.%.*s",
                                 !used          ? ""
                                 : list[length] ? ", "
                                                : " or ",
                                 (int)length, list);
    }
}

cli_end cli_check_extension(const char *what, const char *path, const char *endings) {
    const char *ending = path && strcmp(path, "-") != 0 && !cli_is_special(path) ? ending_of(path) : NULL;
    char text[256];
    if (!ending || !is_among(ending, formats) || (*endings && is_among(ending, endings)))
        return CLI_GO_ON;
    if (!*endings)
        return cli_refuse(CLI_USAGE, "%s writes a folder, but '%s' looks like a file name; leave out .%s", what, path,
                          ending);
    list_endings(endings, text, sizeof text);
    return cli_refuse(CLI_USAGE, "%s is written as %s, not .%s; give '%s' that extension, or none", what, text, ending,
                      path);
}
