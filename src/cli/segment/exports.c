#include "cli/segment/exports.h"
#include "cli/common/errors.h"
#include "cli/common/json_out.h"
#include "cli/common/paths.h"
#include "cli/help/suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The format of "KIND" or "KIND=FILE"; NULL after a message. */
static const seg_export_format *find_format(const char *text) {
    char name[32];
    const char *nearest = NULL;
    int distance = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    const seg_export_format *format = NULL;
    for (int i = 0; !format && seg_export_format_at(i); i++)
        format = strcasecmp(seg_export_format_at(i)->name, name) == 0 ? seg_export_format_at(i) : NULL;
    for (int i = 0; !format && seg_export_format_at(i); i++)
        cli_suggest(name, seg_export_format_at(i)->name, &nearest, &distance);
    if (!format)
        cli_say("--export takes " SEG_EXPORT_FORMAT_NAMES ", alone or as KIND=FILE, not '%s'%s%s%s", text,
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return format;
}

/* "out/coffee-mask.png" gives "out/coffee-mask.svg". NULL if out of memory. */
static char *default_path(const char *photo, const char *mask, const char *ending) {
    char *stem = cli_mask_stem(photo, mask), *path = NULL;
    const int length = stem ? asprintf(&path, "%s.%s", stem, ending) : -1;
    free(stem);
    return length < 0 ? NULL : path;
}

cli_end cli_exports_read(const seg_texts *texts, const char *photo, const char *mask, cli_exports *out) {
    memset(out, 0, sizeof *out);
    out->at = calloc((size_t)texts->count + 1, sizeof *out->at);
    for (int i = 0; i < texts->count && out->at; i++) {
        const char *file = strchr(texts->at[i], '=');
        const seg_export_format *format = find_format(texts->at[i]);
        if (!format)
            return CLI_USAGE;
        if (format->folder && file && strcmp(file + 1, "-") == 0)
            return cli_refuse(CLI_USAGE, "--export %s writes a folder of files and cannot go to standard output",
                              format->name);
        cli_export *one = &out->at[out->count++];
        one->format = format;
        one->path = file ? strdup(file + 1) : default_path(photo, mask, format->ending);
        if (!one->path)
            break;
    }
    if (!out->at || (texts->count && !out->at[texts->count - 1].path))
        return cli_out_of_memory();
    return CLI_GO_ON;
}

int cli_export_is_shared(const char *text, const seg_export_format **format, const char **path) {
    const char *file = strchr(text, '=');
    *format = file ? find_format(text) : NULL;
    *path = file ? file + 1 : NULL;
    return *format && (strcmp((*format)->name, "coco") == 0 || strcmp((*format)->name, "yolo") == 0);
}

void cli_exports_free(cli_exports *exports) {
    for (int i = 0; i < exports->count; i++)
        free(exports->at[i].path);
    free(exports->at);
    memset(exports, 0, sizeof *exports);
}

seg_status cli_exports_write(seg_context *ctx, const cli_exports *exports, const seg_mask *mask,
                             const seg_export_about *about) {
    seg_status status = SEG_OK;
    for (int i = 0; i < exports->count && status == SEG_OK; i++)
        status = seg_export_write(ctx, exports->at[i].format->name, exports->at[i].path, mask, about);
    return status;
}

json_t *cli_exports_json(const cli_exports *exports) {
    json_t *all = json_array();
    for (int i = 0; i < exports->count; i++) {
        json_array_append_new(all, json_pack("{s:s, s:o}", "format", exports->at[i].format->name, "path",
                                             cli_json_text(exports->at[i].path)));
    }
    return all;
}
