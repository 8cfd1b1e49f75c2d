/* The report: its folders, and its tables for other programs: results.csv, timings.csv, strokes.csv or
 * clicks.csv. */
#include "evaluation/report/report.h"
#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/runner/report_folder.h"
#include "image/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A field of CSV: quoted where it must be [RFC 4180], without line ends and in UTF-8 whatever a name holds. */
static void put_field(FILE *to, const char *text) {
    const int quoted = strpbrk(text, ",\"") != NULL;
    if (quoted)
        putc('"', to);
    char piece[SEG_NAME_PIECE];
    size_t size;
    while (*text) {
        text += seg_name_piece(text, SEG_NAME_LINE, piece, &size);
        if (*piece == '"')
            putc('"', to);
        fwrite(piece, 1, size, to);
    }
    if (quoted)
        putc('"', to);
}

static void put_results(FILE *to, const seg_report *report) {
    const seg_results *results = report->results;
    fputs("item,outcome,k,pairs,marked,method,accuracy,clustering_error,nmi,pairwise_f,dice,error,"
          "scored,scored_share,strokes,message\n",
          to);
    for (size_t i = 0; i < results->items; i++) {
        const seg_item_result *one = &results->item[i].result;
        for (int m = 0; m < one->attempts || m == 0; m++) {
            const seg_attempt *a = m < one->attempts ? &one->attempt[m] : NULL;
            put_field(to, results->item[i].name);
            fprintf(to, ",%s,%d,%zu,%zu,", a && a->status ? "failed" : seg_outcome_names[one->outcome], one->k,
                    one->pairs, one->marked);
            if (a)
                put_field(to, results->settings->label[m]);
            if (a && a->status == SEG_OK)
                fprintf(to, ",%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%" PRIu64 ",%.6f,", a->scores.pairwise_accuracy,
                        a->scores.clustering_error, a->scores.nmi, a->scores.pairwise_f, a->scores.mean_dice,
                        a->scores.error_rate, a->scores.scored, seg_scored_share(one, a));
            else
                fputs(",,,,,,,,,", to);
            if (a && a->strokes)
                fprintf(to, "%d", a->strokes);
            putc(',', to);
            put_field(to, a ? a->message : one->message);
            putc('\n', to);
        }
    }
}

/* "item,method," */
static void put_attempt(FILE *to, const seg_results *results, size_t i, int m) {
    put_field(to, results->item[i].name);
    putc(',', to);
    put_field(to, results->settings->label[m]);
    putc(',', to);
}

/* timings.csv, or the curves of strokes.csv or clicks.csv. */
static void put_attempts(FILE *to, const seg_results *results, int timings) {
    const int clicks = results->settings->clicks > 0;
    fputs(timings  ? "item,method,seconds,memory\n"
          : clicks ? "item,method,click,iou\n"
                   : "item,method,corrections,accuracy\n",
          to);
    for (size_t i = 0; i < results->items; i++)
        for (int m = 0; m < results->item[i].result.attempts; m++) {
            const seg_attempt *a = &results->item[i].result.attempt[m];
            if (timings && !a->status) {
                put_attempt(to, results, i, m);
                fprintf(to, "%.4f,%zu\n", a->seconds, a->memory);
            }
            for (int c = 0; !timings && c < a->curve_count; c++) {
                put_attempt(to, results, i, m);
                fprintf(to, "%d,%.6f\n", c + clicks, a->curve[c]);
            }
        }
}

static void put_timings(FILE *to, const seg_report *report) {
    put_attempts(to, report->results, 1);
}

static void put_curves(FILE *to, const seg_report *report) {
    put_attempts(to, report->results, 0);
}

static seg_status write_tables(seg_context *ctx, const seg_report *report) {
    const struct {
        const char *name;
        int wanted;
        void (*put)(FILE *, const seg_report *);
    } tables[] = {{"results.csv", 1, put_results},
                  {"timings.csv", report->options->timing, put_timings},
                  {"strokes.csv", report->results->settings->corrections > 0, put_curves},
                  {"clicks.csv", report->results->settings->clicks > 0, put_curves}};
    seg_status status = SEG_OK;
    for (size_t t = 0; t < sizeof tables / sizeof *tables && status == SEG_OK; t++) {
        seg_writer writer;
        char *path = tables[t].wanted ? seg_format(ctx, "%s/%s", report->out, tables[t].name) : NULL;
        if (path && (status = seg_writer_open(ctx, path, &writer)) == SEG_OK) {
            tables[t].put(writer.file, report);
            status = seg_writer_commit(ctx, &writer);
        } else if (tables[t].wanted && !path)
            status = SEG_ERR_MEMORY;
        free(path);
    }
    return status;
}

static seg_status make_folder(seg_context *ctx, const char *out, const char *parent, const char *name) {
    char *path = seg_format(ctx, "%s/%s/%s", out, parent, name);
    const seg_status status = path ? seg_folder_make(ctx, path) : SEG_ERR_MEMORY;
    free(path);
    return status;
}

seg_status seg_report_write(seg_context *ctx, const seg_results *results, const seg_report_options *options,
                            const char *out) {
    seg_report report = {.results = results, .options = options, .out = out};
    seg_status status = make_folder(ctx, out, "figures", "");
    report.standing = seg_alloc_zero(ctx, (size_t)results->settings->labels, sizeof *report.standing);
    if (!report.standing)
        return SEG_ERR_MEMORY;
    for (int m = -1; m < results->settings->labels && status == SEG_OK; m++)
        status = make_folder(ctx, out, "layers", m < 0 ? "strokes" : results->settings->label[m]);
    for (int m = 0; m < results->settings->labels && status == SEG_OK; m++)
        status = seg_results_standing(ctx, results, m, &report.standing[m]);
    seg_status (*const part[])(seg_context *, const seg_report *) = {write_tables, seg_report_json, seg_report_figures,
                                                                     seg_report_html};
    for (size_t p = 0; p < sizeof part / sizeof *part && status == SEG_OK; p++)
        status = part[p](ctx, &report);
    free(report.standing);
    return status;
}
