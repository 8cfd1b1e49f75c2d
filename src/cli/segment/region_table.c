#include "cli/segment/region_table.h"

#include <segment/names.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cli_region_table_head(FILE *to) {
    fputs("image,label,name,pixels,share,centroid_x,centroid_y,left,top,right,bottom,perimeter,outline,mean_red,"
          "mean_green,mean_blue,mean_probability\n",
          to);
}

/* Quoted where CSV asks for it. */
static void put_text(FILE *to, const char *text) {
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (const char[]){*text, 0}, to);
    fputc('"', to);
}

/* Print an empty field if the value is not finite. */
static void put_number(FILE *to, double value, int decimals) {
    if (isnan(value))
        fputc(',', to);
    else
        fprintf(to, ",%.*f", decimals, value);
}

static void put_row(FILE *to, const char *photo, const seg_labelmap *names, const seg_region *r) {
    put_text(to, photo);
    fprintf(to, ",%d,", r->label);
    put_text(to, r->label <= names->count ? names->name[r->label - 1] : "");
    fprintf(to, ",%zu,%.6f", r->pixels, r->share);
    put_number(to, r->x, 3);
    put_number(to, r->y, 3);
    if (r->pixels)
        fprintf(to, ",%d,%d,%d,%d", r->left, r->top, r->right, r->bottom);
    else
        fputs(",,,,", to);
    fprintf(to, ",%.3f,%.0f", r->perimeter, r->outline);
    for (int c = 0; c < 3; c++)
        put_number(to, r->colour[c], 3);
    put_number(to, r->probability, 6);
    fputc('\n', to);
}

static seg_status put_rows(seg_context *ctx, FILE *to, const char *photo, const seg_image *image,
                           const seg_result *result, const seg_labelmap *names) {
    const seg_region_scores scores = {result->probability, result->column_label, result->k};
    seg_region *region = calloc(SEG_MAX_LABELS, sizeof *region);
    char *name = seg_name_encode(photo, SEG_NAME_LINE);
    uint8_t asked[256] = {0};
    seg_status status = region && name ? SEG_OK : SEG_ERR_MEMORY;
    if (status == SEG_OK)
        status = seg_regions_measure(ctx, &result->mask, image, result->probability ? &scores : NULL, region);
    for (int c = 0; c < result->k; c++)
        asked[result->column_label[c]] = 1;
    for (int l = 1; l <= SEG_MAX_LABELS && status == SEG_OK; l++)
        if (asked[l] || region[l - 1].pixels)
            put_row(to, name, names, &region[l - 1]);
    free(region);
    seg_free(name);
    return status;
}

seg_status cli_region_table(seg_context *ctx, int head, const char *photo, const seg_image *image,
                            const seg_result *result, const seg_labelmap *names, char **text, size_t *size) {
    *text = NULL;
    FILE *to = open_memstream(text, size);
    if (!to)
        return SEG_ERR_MEMORY;
    if (head)
        cli_region_table_head(to);
    seg_status status = put_rows(ctx, to, photo, image, result, names);
    const int lost = ferror(to);
    if ((fclose(to) != 0 || lost) && status == SEG_OK)
        status = SEG_ERR_MEMORY;
    return status;
}
