#include "cli/common/paths.h"
#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

/* The format of "KIND" or "KIND=FILE"; NULL after a message. */
static const seg_export_format *find_format(const char *text) {
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    const seg_export_format *format = NULL;
    for (int i = 0; !format && seg_export_format_at(i); i++)
        format = strcasecmp(seg_export_format_at(i)->name, name) == 0 ? seg_export_format_at(i) : NULL;
    const char *nearest = format ? NULL : cli_nearest(name, cli_format_name);
    if (!format)
        cli_say("--export takes " SEG_EXPORT_FORMAT_NAMES ", alone or as KIND=FILE, not '%s'%s%s%s", text,
                nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    return format;
}

cli_end cli_exports_read(const seg_texts *texts, const char *photo, const char *mask, cli_exports *out) {
    SEG_FREED char *stem = cli_mask_stem(photo, mask); /* "out/coffee-mask.png" gives "out/coffee-mask.svg" */
    *out = (cli_exports){.at = calloc((size_t)texts->count + 1, sizeof *out->at)};
    for (int i = 0; i < texts->count && out->at && stem; i++) {
        const char *file = strchr(texts->at[i], '=');
        const seg_export_format *format = find_format(texts->at[i]);
        if (!format)
            return CLI_USAGE;
        if (format->folder && file && strcmp(file + 1, "-") == 0)
            return cli_refuse(CLI_USAGE, "--export %s writes a folder of files and cannot go to standard output",
                              format->name);
        cli_export *one = &out->at[out->count++];
        one->format = format;
        one->path = file ? strdup(file + 1) : seg_format(NULL, "%s.%s", stem, format->ending);
        if (!one->path)
            break;
    }
    return cli_allocated(out->at && (!texts->count || out->at[texts->count - 1].path));
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
    SEG_CLEAR(exports, exports->at);
}

json_t *cli_exports_json(const cli_exports *exports) {
    json_t *all = json_array();
    for (int i = 0; i < exports->count; i++)
        json_array_append_new(all, json_pack("{s:s, s:o}", "format", exports->at[i].format->name, "path",
                                             cli_json_text(exports->at[i].path)));
    return all;
}

/* --- --table. --- */

static void put_head(FILE *to, int slices) {
    fputs(slices > 1
              ? "image,label,name,voxels,share,volume,centroid_x,centroid_y,centroid_z,left,top,first,right,"
                "bottom,last,mean_red,mean_green,mean_blue,mean_probability\n"
              : "image,label,name,pixels,share,centroid_x,centroid_y,left,top,right,bottom,perimeter,outline,mean_red,"
                "mean_green,mean_blue,mean_probability\n",
          to);
}

/* Print an empty field if the value is not finite. */
static void put_number(FILE *to, double value, int decimals) {
    if (isnan(value))
        fputc(',', to);
    else
        fprintf(to, ",%.*f", decimals, value);
}

static void put_row(FILE *to, const cli_table_of *of, const seg_region *r) {
    const seg_options *options = of->result->options;
    const seg_labelmap *names = of->names;
    const int is_volume = options->slices > 1;
    seg_csv_put(to, of->photo);
    fprintf(to, ",%d,", r->label);
    seg_csv_put(to, r->label <= names->count ? names->name[r->label - 1] : "");
    fprintf(to, ",%zu,%.6f", r->pixels, r->share);
    if (is_volume) /* a voxel is a pixel wide and high, and as deep as slices are apart */
        put_number(to, (double)r->pixels * options->spacing, 3);
    put_number(to, r->x, 3);
    put_number(to, r->y, 3);
    if (is_volume)
        put_number(to, r->z, 3);
    if (!r->pixels)
        fputs(is_volume ? ",,,,,," : ",,,,", to);
    else if (is_volume)
        fprintf(to, ",%d,%d,%d,%d,%d,%d", r->left, r->top, r->first, r->right, r->bottom, r->last);
    else
        fprintf(to, ",%d,%d,%d,%d", r->left, r->top, r->right, r->bottom);
    if (!is_volume)
        fprintf(to, ",%.3f,%.0f", r->perimeter, r->outline);
    for (int c = 0; c < 3; c++)
        put_number(to, r->colour[c], 3);
    put_number(to, r->probability, 6);
    fputc('\n', to);
}

static seg_status put_rows(seg_context *ctx, FILE *to, const cli_table_of *of) {
    const seg_result *result = of->result;
    const seg_region_scores scores = {result->probability, result->column_label, result->k};
    uint8_t asked[256] = {0};
    SEG_LOCAL(seg_region, region, calloc(SEG_MAX_LABELS, sizeof *region));
    SEG_TRY(seg_regions_measure(ctx, &result->mask, of->image, result->probability ? &scores : NULL, region));
    for (int c = 0; c < result->k; c++)
        asked[result->column_label[c]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS; l++)
        if (asked[l] || region[l - 1].pixels)
            put_row(to, of, &region[l - 1]);
    return SEG_OK;
}

seg_status cli_region_table(seg_context *ctx, int head, const cli_table_of *of, char **text, size_t *size) {
    *text = NULL;
    FILE *to = open_memstream(text, size);
    SEG_TRY(seg_allocated(to));
    if (head)
        put_head(to, of->result->options->slices);
    const seg_status status = put_rows(ctx, to, of);
    return !seg_text_end(to) && status == SEG_OK ? SEG_ERR_MEMORY : status;
}

/* --- Files that several images share. --- */

cli_end cli_combined_begin(const char *table, cli_combined *out) {
    *out = (cli_combined){.table = table, .ctx = cli_context_create()};
    if (!out->ctx || !table)
        return out->ctx ? CLI_GO_ON : CLI_FAILED;
    out->rows = open_memstream(&out->text, &out->size);
    CLI_TRY(cli_allocated(out->rows));
    put_head(out->rows, 1);
    return CLI_GO_ON;
}

void cli_combined_add(cli_combined *gather, const char *text, size_t size) {
    if (gather->rows && text)
        fwrite(text, 1, size, gather->rows);
}

cli_end cli_combined_export(cli_combined *gather, const char *format, const char *path) {
    if (seg_extend(gather->ctx, &gather->set, (size_t)gather->sets, sizeof *gather->set) != SEG_OK)
        return cli_out_of_memory();
    const seg_status status = seg_export_set_open(gather->ctx, format, path, &gather->set[gather->sets]);
    gather->sets += status == SEG_OK;
    return cli_went(gather->ctx, status, CLI_COMPUTING);
}

seg_status cli_combined_masks(seg_context *ctx, cli_combined *gather, const seg_mask *mask,
                              const seg_export_about *about) {
    for (int i = 0; i < gather->sets; i++)
        SEG_TRY(seg_export_set_add(ctx, gather->set[i], mask, about));
    return SEG_OK;
}

static cli_end write_table(cli_combined *gather) {
    if (fflush(gather->rows) != 0 || ferror(gather->rows))
        return cli_out_of_memory();
    return cli_went(gather->ctx, seg_file_write(gather->ctx, gather->table, gather->text, gather->size), CLI_WRITING);
}

cli_end cli_combined_end(cli_combined *gather, int write) {
    cli_end end = write && gather->rows ? write_table(gather) : CLI_GO_ON;
    for (int i = 0; i < gather->sets; i++) {
        const seg_status status = seg_export_set_close(gather->ctx, gather->set[i], write);
        end = end == CLI_GO_ON ? cli_went(gather->ctx, status, CLI_WRITING) : end;
    }
    if (gather->rows)
        fclose(gather->rows);
    seg_context_free(gather->ctx);
    SEG_CLEAR(gather, gather->set, gather->text);
    return end;
}
