/* The report's tables for other programs: results.csv, timings.csv, strokes.csv, table.tex. */
#include "base/base.h"
#include "base/name_text.h"
#include "evaluation/report/report.h"
#include "evaluation/sets/layout.h"
#include "image/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static seg_status open_part(seg_context *ctx, const seg_report *report, const char *name, char **path,
                            seg_writer *writer) {
    *path = seg_format(ctx, "%s/%s", report->out, name);
    return *path ? seg_writer_open(ctx, *path, writer) : SEG_ERR_MEMORY;
}

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

static void put_results(FILE *to, const seg_results *results) {
    fputs("item,repeat,outcome,k,annotators,pairs,marked,method,accuracy,clustering_error,nmi,pairwise_f,dice,error,"
          "scored,scored_share,strokes,message\n",
          to);
    for (size_t i = 0; i < results->items; i++)
        for (int r = 0; r < results->item[i].repeats; r++) {
            const seg_item_result *one = &results->item[i].repeat[r];
            for (int m = 0; m < one->attempts || m == 0; m++) {
                const seg_attempt *a = m < one->attempts ? &one->attempt[m] : NULL;
                put_field(to, results->item[i].name);
                fprintf(to, ",%d,%s,%d,%d,%zu,%zu,", r + 1, a && a->status ? "failed" : seg_outcome_names[one->outcome],
                        one->k, one->annotators, one->pairs, one->marked);
                if (a)
                    put_field(to, results->settings.label[m]);
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

static void put_timings(FILE *to, const seg_results *results) {
    fputs("item,repeat,method,seconds,memory\n", to);
    for (size_t i = 0; i < results->items; i++)
        for (int r = 0; r < results->item[i].repeats; r++)
            for (int m = 0; m < results->item[i].repeat[r].attempts; m++) {
                const seg_attempt *a = &results->item[i].repeat[r].attempt[m];
                if (a->status)
                    continue;
                put_field(to, results->item[i].name);
                fprintf(to, ",%d,", r + 1);
                put_field(to, results->settings.label[m]);
                fprintf(to, ",%.4f,%zu\n", a->seconds, a->memory);
            }
}

static void put_strokes(FILE *to, const seg_results *results) {
    fputs("item,repeat,method,corrections,accuracy\n", to);
    for (size_t i = 0; i < results->items; i++)
        for (int r = 0; r < results->item[i].repeats; r++)
            for (int m = 0; m < results->item[i].repeat[r].attempts; m++) {
                const seg_attempt *a = &results->item[i].repeat[r].attempt[m];
                for (int c = 0; c < a->curve_count; c++) {
                    put_field(to, results->item[i].name);
                    fprintf(to, ",%d,", r + 1);
                    put_field(to, results->settings.label[m]);
                    fprintf(to, ",%d,%.6f\n", c, a->curve[c]);
                }
            }
}

static seg_status write_table(seg_context *ctx, const seg_report *report, const char *name,
                              void (*fill)(FILE *, const seg_results *)) {
    seg_writer writer;
    char *path;
    seg_status status = open_part(ctx, report, name, &path, &writer);
    if (status == SEG_OK) {
        fill(writer.file, report->results);
        status = seg_writer_commit(ctx, &writer);
    }
    free(path);
    return status;
}

seg_status seg_report_csv(seg_context *ctx, const seg_report *report) {
    seg_status status = write_table(ctx, report, "results.csv", put_results);
    if (status == SEG_OK && report->options->timing)
        status = write_table(ctx, report, "timings.csv", put_timings);
    if (status == SEG_OK && report->results->settings.corrections)
        status = write_table(ctx, report, "strokes.csv", put_strokes);
    return status;
}

static void put_tex_byte(FILE *to, char c) {
    if (strchr("#$%&_{}", c))
        fprintf(to, "\\%c", c);
    else if (c == '\\')
        fputs("\\textbackslash{}", to);
    else if (c == '~' || c == '^')
        fprintf(to, "\\%c{}", c);
    else
        putc(c, to);
}

/* Text that LaTeX prints as it stands, on one line. */
static void put_tex(FILE *to, const char *text) {
    char piece[SEG_NAME_PIECE];
    size_t size;
    while (*text) {
        text += seg_name_piece(text, SEG_NAME_LINE, piece, &size);
        for (size_t c = 0; c < size; c++)
            put_tex_byte(to, piece[c]);
    }
}

static void put_table(FILE *to, const seg_report *report) {
    const seg_results *results = report->results;
    const int timing = report->options->timing, simulated = results->settings.corrections > 0;
    fputs("% \\usepackage{booktabs}\n\\begin{tabular}{lrrrrr", to);
    fprintf(to, "%s%s}\n\\toprule\n", simulated ? "r" : "", timing ? "rr" : "");
    fputs("method & images & mean & 95\\,\\% interval & median & worst", to);
    fprintf(to, "%s%s \\\\\n\\midrule\n", simulated ? " & strokes" : "", timing ? " & seconds & MB" : "");
    double best = 0;
    for (int m = 0; m < results->settings.labels; m++)
        best = report->standing[m].accuracy.mean > best ? report->standing[m].accuracy.mean : best;
    for (int m = 0; m < results->settings.labels; m++) {
        const seg_standing *s = &report->standing[m];
        put_tex(to, results->settings.label[m]);
        fprintf(to, " & %zu & ", s->accuracy.count);
        if (s->accuracy.count == 0)
            fputs("-- & -- & -- & --", to);
        else
            fprintf(to, "%s%.3f%s & %.3f--%.3f & %.3f & %.3f", s->accuracy.mean == best ? "\\textbf{" : "",
                    s->accuracy.mean, s->accuracy.mean == best ? "}" : "", s->low, s->high, s->accuracy.median,
                    s->accuracy.least);
        if (simulated && s->goal)
            fprintf(to, " & %g", s->strokes);
        else if (simulated)
            fputs(" & --", to);
        if (timing)
            fprintf(to, " & %.3f & %.0f", s->seconds, s->memory);
        fputs(" \\\\\n", to);
    }
    fputs("\\bottomrule\n\\end{tabular}\n", to);
}

seg_status seg_report_tex(seg_context *ctx, const seg_report *report) {
    seg_writer writer;
    char *path;
    seg_status status = open_part(ctx, report, "table.tex", &path, &writer);
    if (status == SEG_OK) {
        fputs("% ", writer.file);
        put_tex(writer.file, report->results->settings.title);
        fprintf(writer.file, ": pairwise accuracy of %zu images; ", report->results->scored);
        put_tex(writer.file, report->results->settings.source);
        if (*report->results->settings.how) {
            fputs("; ", writer.file);
            put_tex(writer.file, report->results->settings.how);
        }
        fprintf(writer.file, "; repeats %d; seed %" PRIu64 "\n", report->results->settings.repeats,
                report->results->settings.seed);
        put_table(writer.file, report);
        status = seg_writer_commit(ctx, &writer);
    }
    free(path);
    return status;
}
