#include "cli/common/process.h"
#include "cli/common/report_parts.h"
#include "cli/segment/photo_run.h"

#include "pipeline/option_values.h"

/* Pixels of every label. Labels keep their numbers, so there may be gaps; a marked label without pixels counts, too. */
typedef struct label_areas {
    size_t pixels[256];
    int is_region[256];
} label_areas;

static void count_areas(const cli_photo_run *run, label_areas *out) {
    const seg_mask *mask = &run->result->mask;
    size_t pixels = (size_t)mask->width * (size_t)mask->height;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < pixels; i++) {
        out->pixels[mask->label[i]]++;
        out->is_region[mask->label[i]] = 1;
        if (run->scribbles.label)
            out->is_region[run->scribbles.label[i]] = 1;
    }
}

static const char *label_name(const seg_labelmap *map, int label) {
    return label <= map->count && map->name[label - 1][0] ? map->name[label - 1] : NULL;
}

static json_t *regions_json(const cli_photo_run *run, const label_areas *area) {
    size_t pixels = (size_t)run->result->mask.width * (size_t)run->result->mask.height;
    json_t *regions = json_array();
    for (int label = 1; label <= SEG_MAX_LABELS; label++)
        if (area->is_region[label])
            json_array_append_new(regions, json_pack("{s:i, s:o, s:o, s:I, s:f}", "label", label, "name",
                                                     cli_json_text(label_name(&run->labelmap, label)), "colour",
                                                     cli_json_colour(run->result->mask.colour[label]), "pixels",
                                                     (json_int_t)area->pixels[label], "share",
                                                     (double)area->pixels[label] / (double)pixels));
    return regions;
}

/* Unknown pixels of a model are not a region, though they have a column of the probabilities. */
static int asked_regions(const seg_result *result) {
    return result->k - (result->k > 0 && result->column_label[result->k - 1] == SEG_VOID);
}

static int found_regions(const seg_result *result, const label_areas *area) {
    return result->regions - (asked_regions(result) < result->k && area->pixels[SEG_VOID] > 0);
}

static json_t *ambiguous_json(const seg_result *result) {
    json_t *ambiguous = json_array();
    for (int i = 0; i < result->ambiguous_count; i++) {
        json_t *one = cli_json_ambiguous(&result->ambiguous[i]);
        json_object_set_new(one, "island", json_boolean(result->ambiguous_island[i]));
        json_array_append_new(ambiguous, one);
    }
    return ambiguous;
}

static json_t *stage_json(const char *name, double seconds, size_t memory) {
    return json_pack("{s:s, s:f, s:I}", "name", name, "seconds", seconds, "peak_memory", (json_int_t)memory);
}

static json_t *stages_json(const seg_context *ctx, const cli_photo_run *run) {
    json_t *stages = json_array();
    json_array_append_new(stages, stage_json("read", run->read_seconds, run->read_memory));
    seg_context_info info;
    seg_context_about(ctx, &info);
    for (const seg_stage *stage = info.stage; stage < info.stage + info.stages; stage++)
        json_array_append_new(stages, stage_json(stage->name, stage->seconds, stage->peak_memory));
    json_array_append_new(stages, stage_json("write", run->write_seconds, seg_peak_memory()));
    return stages;
}

static json_t *sizes_json(const cli_photo_run *run) {
    const seg_result *result = run->result;
    return json_pack("{s:i, s:i, s:i, s:I, s:I, s:I, s:i, s:I, s:I, s:I}", "width", run->result->mask.width, "height",
                     run->result->mask.height, "patch", result->grid.side, "patches",
                     (json_int_t)result->grid.columns * result->grid.rows, "feature_columns",
                     (json_int_t)result->feature_columns, "edges", (json_int_t)result->graph_edges, "k", result->k,
                     "marked_pixels", (json_int_t)result->marked_pixels, "marked_patches",
                     (json_int_t)result->marked_patches, "pairs", (json_int_t)result->pairs);
}

static json_t *features_json(const seg_feature_spec *spec, const char *const *name) {
    json_t *features = json_object();
    for (int kind = 0; kind < SEG_FEATURE_KINDS; kind++)
        if (spec->weight[kind] > 0)
            json_object_set_new(features, name[kind], json_real(spec->weight[kind]));
    return features;
}

/* A width and a list of features have members of their own. */
static void put_option(json_t *object, const seg_option *row, const cli_photo_options *options) {
    const seg_graph_spec *graph = &options->segment.graph;
    char text[64];
    if (row->type == SEG_OPTION_FEATURES) {
        json_object_set_new(object, row->name, features_json(&options->segment.features, row->choices));
    } else if (strcmp(row->name, "sigma") == 0) {
        json_object_set_new(object, "sigma", json_real(graph->sigma));
        json_object_set_new(object, "sigma_scale", json_real(graph->sigma_scale));
    } else if (row->type == SEG_OPTION_FLAG) {
        json_object_set_new(object, row->name, json_boolean(seg_option_get(row, options, text, sizeof text) != NULL));
    } else {
        const char *value = seg_option_get(row, options, text, sizeof text);
        json_object_set_new(object, row->name,
                            row->type == SEG_OPTION_INT ? json_integer(strtol(value, NULL, 10)) : json_string(value));
    }
}

/* The options that the library used; regions, method, parameters and seed are members of the report itself. */
static json_t *options_json(const cli_photo_options *options) {
    static const char *const elsewhere[] = {"regions", "method", "param"};
    json_t *all = json_object();
    seg_option row;
    for (cli_walk walk = {0}; cli_next_option(&cli_photo_table, &walk, &row);) {
        int counts = seg_option_find(row.name) != NULL;
        for (size_t e = 0; e < sizeof elsewhere / sizeof *elsewhere; e++)
            counts &= strcmp(row.name, elsewhere[e]) != 0;
        if (counts)
            put_option(all, &row, options);
    }
    json_object_set_new(all, "threads", json_integer(options->common.threads));
    return all;
}

static const char *scribbles_kind_name(const cli_photo_options *options, seg_scribbles_kind kind) {
    static const char *const name[] = {NULL, "palette", "grey", "colours", "painted", "snapped", "shapes", "array"};
    return options->scribbles && kind >= SEG_SCRIBBLES_PALETTE && kind <= SEG_SCRIBBLES_ARRAY ? name[kind] : NULL;
}

/* The program's plan includes reading inputs and writing outputs, that of the library the content of the inputs. */
static json_t *plan_json(const cli_photo_options *options, const cli_photo_run *run) {
    const seg_photo_plan *plan = &run->result->plan;
    return json_pack("{s:o, s:I, s:I, s:i, s:o}", "limit",
                     options->common.max_memory ? json_integer((json_int_t)options->common.max_memory) : json_null(),
                     "predicted", (json_int_t)seg_larger(plan->predicted, run->plan.predicted), "asked",
                     (json_int_t)plan->asked, "threads", plan->threads, "adapted",
                     plan->adapted[0] ? cli_json_text(plan->adapted) : json_null());
}

static cli_end report_json(const seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run) {
    const seg_result *result = run->result;
    const double pixels = (double)result->mask.width * result->mask.height;
    label_areas area;
    count_areas(run, &area);
    json_t *inputs =
        json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "program", "segment", "version", seg_version(),
                  "photo", cli_json_text(options->photo), "scribbles", cli_json_text(options->scribbles),
                  "scribbles_kind", cli_json_text(scribbles_kind_name(options, run->scribbles_about.kind)),
                  "constraints", cli_json_text(options->constraints), "labelmap", cli_json_text(options->labelmap),
                  "model", cli_json_text(options->model), "start", cli_json_text(options->start));
    if (options->scribbles) {
        const seg_scribbles_about *about = &run->scribbles_about;
        json_object_set_new(inputs, "scribbles_labels", json_integer(about->labels_found));
        json_object_set_new(inputs, "scribbles_share", json_real((double)about->marked / pixels));
        json_object_set_new(inputs, "scribbles_ground", cli_json_text(about->ground[0] ? about->ground : NULL));
    }
    json_t *how = json_pack("{s:s, s:s, s:o, s:o, s:o, s:I}", "method", result->method->name, "variant",
                            options->segment.variant == SEG_VARIANT_PAPER ? "paper" : "improved", "ran",
                            cli_json_text(result->ran), "parameters", cli_json_params(result->method, &result->params),
                            "options", options_json(options), "seed", (json_int_t)options->common.seed);
    json_t *what = json_pack(
        "{s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:o, s:o}", "regions_requested", asked_regions(result),
        "regions_found", found_regions(result, &area), "unknown_share",
        options->model ? json_real((double)area.pixels[SEG_VOID] / pixels) : json_null(), "sizes", sizes_json(run),
        "sigma", cli_json_real(result->sigma), "objective", cli_json_real(result->objective), "objective_bound",
        cli_json_real(result->objective_bound), "iterations", result->iterations, "converged", result->converged,
        "regions", regions_json(run, &area), "ambiguous_regions", ambiguous_json(result));
    json_object_set_new(what, "listed_pairs", cli_json_kept(&result->kept));
    json_t *decided = json_object();
    for (int d = 0; d < SEG_DECISIONS; d++)
        json_object_set_new(decided, result->decided[d].name,
                            json_pack("{s:b, s:s}", "on", result->decided[d].on, "why", result->decided[d].why));
    json_object_set_new(how, "decided", decided);
    json_t *cost = json_pack("{s:o, s:f, s:I, s:o}", "stages", stages_json(ctx, run), "seconds", run->seconds,
                             "peak_memory", (json_int_t)seg_peak_memory(), "plan", plan_json(options, run));
    const cli_scored scored =
        options->truth ? cli_count_scored(&run->truth, options->scribbles ? &run->scribbles : NULL) : (cli_scored){0};
    json_t *outputs =
        json_pack("{s:o, s:o, s:{s:o, s:o, s:o, s:o, s:o, s:o, s:o}}", "truth", cli_json_text(options->truth), "scores",
                  options->truth ? cli_json_scores(&run->scores, &scored) : json_null(), "outputs", "mask",
                  cli_json_text(options->mask), "overlay", cli_json_text(options->overlay), "prob",
                  cli_json_text(options->probability), "uncertainty", cli_json_text(options->uncertainty), "save_run",
                  cli_json_text(options->save_run), "table", cli_json_text(options->table), "exports",
                  cli_exports_json(&options->exports));
    json_t *parts[] = {how, what, cost, outputs};
    return cli_json_print_parts(options->out, inputs, parts, sizeof parts / sizeof *parts);
}

#define SAID_LABELS 12

/* Print the number of labels found in scribbles that are recognised by colours. */
static void say_labels(const cli_photo_options *options, const cli_photo_run *run) {
    const seg_mask *scribbles = &run->scribbles;
    const seg_scribbles_about *about = &run->scribbles_about;
    char text[SAID_LABELS * 48] = "";
    size_t count[256] = {0}, used = 0;
    int said = 0;
    if (!options->scribbles || options->common.verbose || about->kind < SEG_SCRIBBLES_COLOURS ||
        about->kind > SEG_SCRIBBLES_SNAPPED)
        return; /* exact labels need no message, and -v reports them already */
    for (size_t i = 0; i < (size_t)scribbles->width * (size_t)scribbles->height; i++)
        count[scribbles->label[i]]++;
    for (int label = 1; label <= SEG_MAX_LABELS && said < SAID_LABELS; label++) {
        const uint8_t *rgb = scribbles->colour[label];
        if (count[label])
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%d #%02x%02x%02x %zu pixels",
                                     said++ ? ", " : "", label, rgb[0], rgb[1], rgb[2], count[label]);
    }
    cli_say("%s: %d label%s found in strokes on %s: %s%s", options->scribbles, about->labels_found,
            about->labels_found == 1 ? "" : "s", about->ground, text, said < about->labels_found ? " ..." : "");
}

#define LITTLE_SCORED 0.5 /* of the image: below, the accuracy does not describe the image */

/* Warn if the scores cover a small part of the image, or mostly marked pixels. */
static void warn_of_scored(const cli_photo_options *options, const cli_photo_run *run) {
    const cli_scored scored = cli_count_scored(&run->truth, options->scribbles ? &run->scribbles : NULL);
    if (scored.has_scribbles && 10 * scored.unmarked < scored.scored) {
        cli_say(
            "warning: %.1f %% of the scored pixels are marked by the scribbles, so that the scores mean little; were "
            "--scribbles and --truth swapped?",
            100 * (1 - (double)scored.unmarked / (double)scored.scored));
    } else if (scored.share < LITTLE_SCORED && !options->segment.region.width) {
        cli_say("warning: only %.1f %% of the image is scored, the rest of '%s' is void; is this a file of scribbles "
                "instead of a ground truth?",
                100 * scored.share, options->truth);
    }
}

#define SAID_AMBIGUOUS 3 /* number of printed regions; the report has all */

static void warn_of_ambiguous(const cli_photo_run *run) {
    for (int i = 0; i < run->result->ambiguous_count && i < SAID_AMBIGUOUS; i++) {
        const seg_ambiguous_region *d = &run->result->ambiguous[i];
        char where[128];
        snprintf(where, sizeof where, "ambiguous region: %.1f %% of the image, within (%d,%d) to (%d,%d),",
                 100 * d->share, d->left, d->top, d->right - 1, d->bottom - 1);
        if (run->result->ambiguous_island[i])
            cli_say("%s is an island of label %d in label %d that no stroke touches; draw a stroke there, or join "
                    "islands to the region around them (--islands remove)",
                    where, d->label, d->runner_up);
        else if (d->label == SEG_VOID || d->runner_up == SEG_VOID)
            cli_say("%s has label %d or resembles nothing that the model knows; draw a stroke there", where,
                    d->label == SEG_VOID ? d->runner_up : d->label);
        else
            cli_say("%s has label %d, but label %d fits nearly as well; draw a stroke there", where, d->label,
                    d->runner_up);
    }
}

/* In one line, the files that were written; nothing if all outputs went to standard output. */
static void say_written(const cli_photo_options *options) {
    SEG_FREED cli_use *uses = NULL;
    size_t count, used = 0;
    char line[SEG_MESSAGE_SIZE] = "";
    cli_list_uses(options, &uses, &count);
    for (size_t i = 0; i < count && used < sizeof line; i++)
        if (uses[i].writes && strcmp(uses[i].path, "-") != 0)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%s", used ? ", " : "", uses[i].path);
    if (used)
        cli_say("wrote %s", line);
}

/* The summary of -v. */
static void report_words(const cli_photo_options *options, const cli_photo_run *run) {
    const seg_result *result = run->result;
    label_areas area;
    size_t pixels = (size_t)run->result->mask.width * (size_t)run->result->mask.height;
    count_areas(run, &area);
    for (int label = 1; label <= SEG_MAX_LABELS; label++) {
        if (!area.is_region[label])
            continue;
        const char *name = label_name(&run->labelmap, label);
        const uint8_t *rgb = result->mask.colour[label];
        cli_say("region %d%s%s, #%02x%02x%02x: %zu pixels, %.1f %%", label, name ? " " : "", name ? name : "", rgb[0],
                rgb[1], rgb[2], area.pixels[label], 100.0 * (double)area.pixels[label] / (double)pixels);
    }
    for (int d = 0; d < SEG_DECISIONS; d++)
        cli_say("%s %s: %s", result->decided[d].name, result->decided[d].on ? "on" : "off", result->decided[d].why);
    char method[64];
    cli_method_text(result->method, options->segment.variant, result->ran, method, sizeof method);
    cli_say("%s: %d regions in %.2f s; mask %s%s%s", method, found_regions(result, &area), run->seconds, options->mask,
            options->overlay ? ", overlay " : "", options->overlay ? options->overlay : "");
}

cli_end cli_photo_report(const seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run, int tell) {
    if (!options->common.quiet) {
        if (options->common.progress != CLI_PROGRESS_JSON)
            say_labels(options, run);
        warn_of_ambiguous(run);
        if (options->truth)
            warn_of_scored(options, run);
    }
    if (options->common.verbose)
        report_words(options, run);
    else if (tell && !options->common.quiet && cli_on_terminal())
        say_written(options);
    if (options->common.json)
        return report_json(ctx, options, run);
    if (options->truth) {
        const cli_scored scored = cli_count_scored(&run->truth, options->scribbles ? &run->scribbles : NULL);
        cli_print_scores(options->out, &run->scores, &scored);
    }
    return cli_finish_output(CLI_OK);
}

void cli_tiled_report(const cli_photo_options *options, const cli_photo_run *run) {
    if (options->common.quiet)
        return;
    warn_of_ambiguous(run);
    if (options->common.verbose)
        cli_say("%s by tiles: %d regions in %.2f s; mask %s", run->result->method->name, run->result->regions,
                run->seconds, options->mask);
    else if (cli_on_terminal())
        say_written(options);
}
