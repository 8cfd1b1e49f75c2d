/* The main job: its options, its exports, and the run of one image: read everything, compute everything, then write. */
#pragma once

#include "cli/common/arguments.h"
#include "cli/common/file_uses.h"
#include "evaluation/sets/listing.h"
#include "pipeline/option_fields.h"
#include "pipeline/slice_files.h"

#include <jansson.h>

/* --- The images named on the command line, and the files that belong to each (photo_files.c). --- */

typedef struct cli_files {
    char **at; /* owned, each too */
    int count;
} cli_files;

/* A kind of files in a folder, one per image: the name of the image, one of the stems and one of the extensions. */
typedef struct cli_file_kind {
    const char *option; /* that names the folder */
    const char *stem[3];
    const char *endings; /* "png,jpg" */
} cli_file_kind;

extern const cli_file_kind cli_scribble_files, cli_truth_files, cli_pair_files, cli_start_files;

int cli_is_folder(const char *path);

/* Append a path, which is then owned; NULL means out of memory. */
cli_end cli_files_append(cli_files *to, char *path);
void cli_files_free(cli_files *files);

/* Create a missing folder and its parents; those that were made are appended to `made`, which may be NULL. */
cli_end cli_make_folder(const char *path, cli_files *made);

/* List the images of all words: named files, and files in named folders except scribbles, ground truths and masks. Two
 * images of the same name are refused, since their outputs would be the same. channels: NULL, or
 * names of files: a folder is one image, whose channels these are; or several, FOLDER/WHAT for all that the star of the
 * first name may stand for. */
cli_end cli_list_photos(const seg_texts *words, const char *channels, cli_files *out);

/* Find the file of an image in a folder; *path is NULL if there is none, else to be freed. `base` is the name of the
 * image without folder and extension. */
cli_end cli_find_file(const cli_file_kind *kind, const char *folder, const char *photo, const char *base, char **path);

/* List the names in a folder once, for many images; empty if the folder cannot be read. */
cli_end cli_list_names(const char *folder, seg_listing *out);
cli_end cli_find_name(const cli_file_kind *kind, const char *folder, const seg_listing *names, const char *photo,
                      const char *base, char **path);

/* --- --export KIND[=FILE], the mask in formats of other programs, and --table, measurements of the regions as CSV: of
 * one image, and the files that several images share (exports.c). --- */

typedef struct cli_export {
    const seg_export_format *format;
    char *path; /* owned */
} cli_export;

typedef struct cli_exports {
    cli_export *at; /* owned */
    int count;
} cli_exports;

/* Read the texts of --export. The default file is named after the mask, with the extension of the format; if the mask
 * is not a regular file, after the image. Free in every case. */
cli_end cli_exports_read(const seg_texts *texts, const char *photo, const char *mask, cli_exports *out);
void cli_exports_free(cli_exports *exports);

/* Whether the text of --export names one file or folder for several images; *path is then its name. *format is NULL,
 * after a message, if the kind is not a format. */
int cli_export_is_shared(const char *text, const seg_export_format **format, const char **path);

/* Of the report: format and path of each. A new reference, NULL if out of memory. */
json_t *cli_exports_json(const cli_exports *exports);

/* What the lines of a table are of: the path of an image, its samples as read, its result, and the names of labels. */
typedef struct cli_table_of {
    const char *photo;
    const seg_image *image;
    const seg_result *result;
    const seg_labelmap *names;
} cli_table_of;

/* One line for each label that was requested or found, after a header line if `head` is not 0. *text is to be freed by
 * the caller in every case. SEG_OK, SEG_ERR_MEMORY, SEG_ERR_CANCELLED. */
seg_status cli_region_table(seg_context *ctx, int head, const cli_table_of *of, char **text, size_t *size);

/* Shared files of a batch; zeroed: none. */
typedef struct cli_combined {
    seg_context *ctx;
    const char *table; /* file of --table, or NULL */
    FILE *rows;        /* its lines so far, in memory */
    char *text;        /* them, owned */
    size_t size;
    seg_export_set **set; /* exports of all images; owned */
    int sets;
} cli_combined;

/* Open them. `table` is borrowed. Call cli_combined_end in either case. */
cli_end cli_combined_begin(const char *table, cli_combined *out);

/* Add an export of all images in one file or folder. */
cli_end cli_combined_export(cli_combined *gather, const char *format, const char *path);

/* Add an image's mask to these exports. */
seg_status cli_combined_masks(seg_context *ctx, cli_combined *gather, const seg_mask *mask,
                              const seg_export_about *about);

/* Add the lines of an image, from cli_region_table. */
void cli_combined_add(cli_combined *gather, const char *text, size_t size);

/* Write the files, where `write` is not 0, and free what is owned. */
cli_end cli_combined_end(cli_combined *gather, int write);

/* --- The options (photo_options.c). --- */

enum { CLI_MOST_OWNED = 14 };

enum { CLI_OVERLAY_BOTH, CLI_OVERLAY_TINT, CLI_OVERLAY_OUTLINE, CLI_OVERLAY_CUTOUT };

typedef struct cli_photo_options {
    cli_common common;     /* its words are the images that were named */
    const char *photo;     /* "-" is standard input, as for the other inputs */
    const char *scribbles; /* or NULL; likewise the next three */
    const char *constraints;
    const char *labelmap;
    const char *truth;
    const char *model;
    const char *start;       /* a mask to correct; or NULL */
    const char *mask;        /* "-" is standard output */
    const char *overlay;     /* NULL: none */
    const char *probability; /* NULL: none; likewise the next */
    const char *uncertainty;
    const char *save_run; /* likewise */
    const char *table;    /* likewise; also if the images of a batch share one */
    const char *names;    /* NULL if not given */
    const char *shard;    /* as given, or NULL */
    const char *show;     /* likewise */
    int shown[3];         /* channels that are red, green and blue in what is drawn, from 1; 0: none */
    int jobs;             /* images at once, 0: one per processor; -1: not given */
    int resume;
    cli_combined *gather; /* of a batch; else NULL */
    FILE *out;            /* for scores and the JSON report */
    int no_overlay;
    int tiled;              /* 1: asked for */
    int volume;             /* 1: the pages of a file, or the images in a folder, are slices */
    int paged;              /* 1: frames are the pages of a TIFF file, and their masks go to a folder */
    int window;             /* frames of a video held at once; 0: not given */
    seg_texts export_texts; /* of --export */
    cli_exports exports;
    seg_options segment;
    seg_overlay_style style;
    int overlay_style; /* CLI_OVERLAY_BOTH and so on */
    uint8_t cutout_labels[32];
    double simplify;             /* of exports, pixels */
    char *owned[CLI_MOST_OWNED]; /* generated names */
    int owned_count;
    int is_copy; /* the arrays of texts are borrowed */
} cli_photo_options;

extern const cli_table cli_photo_table;

/* A file of the main job. */
typedef struct cli_photo_file {
    const char *name;    /* in records and reports */
    const char *option;  /* without dashes; NULL of the image */
    const char *said;    /* in messages */
    size_t offset;       /* of its name in cli_photo_options */
    const char *endings; /* of an output; NULL: an input */
    const char *tail;    /* with several images, of the file's name in the folder of the option; or NULL */
} cli_photo_file;

enum { CLI_PHOTO_INPUTS = 7, CLI_PHOTO_FILES = 13 };
extern const cli_photo_file cli_photo_files[CLI_PHOTO_FILES]; /* inputs first, of which the first is the image */

/* The name of the i-th file, or NULL; and to set it. */
const char *cli_photo_path(const cli_photo_options *options, int i);
void cli_photo_set_path(cli_photo_options *options, int i, const char *path);

/* Every option at its default. */
void cli_photo_options_default(cli_photo_options *out);

/* Read the arguments without checking them, also for several images. Free with cli_photo_options_free in every case. */
cli_end cli_photo_options_read(int argc, char **argv, cli_photo_options *out);

/* Copy the options for one of several images; the copy borrows the texts. */
void cli_photo_options_copy(const cli_photo_options *from, const char *photo, cli_photo_options *out);

void cli_photo_options_free(cli_photo_options *options);

/* Store an allocated name, to be freed with the options. @return it; NULL after a message if it is NULL */
const char *cli_photo_own(cli_photo_options *options, char *name);

/* Whether a record stores the option as text. Options with this trait that are files are recorded as inputs. */
int cli_is_recorded(const seg_option *row);

/* --- The run. --- */

/* The files of an image or a volume; zeroed: none. */
typedef struct cli_volume {
    seg_slice_files image, scribbles, truth, start; /* owned */
} cli_volume;

/* Everything that one run reads and makes. */
typedef struct cli_photo_run {
    cli_volume volume;
    seg_image photo; /* as it is drawn and measured */
    seg_image stack; /* its channels; no pixels: it has none */
    seg_mask scribbles, truth, start;
    seg_scribbles_about scribbles_about;
    seg_labelmap labelmap;
    seg_constraints pairs;
    seg_model *model;   /* or NULL */
    seg_result *result; /* NULL before there is one */
    seg_scores scores;
    seg_photo_plan plan; /* made from the headers of the inputs; zero without a limit */
    json_t *record;      /* the inputs of --save-run, else NULL */
    char *table;         /* lines of --table; NULL: none */
    size_t table_size;
    uint8_t *alpha;                                       /* of an overlay that is a cut-out; else NULL */
    double started, read_seconds, write_seconds, seconds; /* of a monotonic clock */
    size_t read_memory;                                   /* highest resident size when the inputs were read, bytes */
} cli_photo_run;

/* Check the options and run the image. `mask_hash`: the mask must have this hash, otherwise nothing is
 * written; NULL: any mask. A run that is one of many does not list its files on a terminal. The options are replaced by
 * those that were used. @return the exit code */
cli_end cli_photo_job(cli_photo_options *options, const char *mask_hash, int one_of_many);

/* Copy colours and names of the labels of the model into a label map. @return 0, with `out` unchanged, without a model
 * or if the labels are not 1, 2, ... without gaps, as a label map needs */
int cli_model_labelmap(const seg_model *model, seg_labelmap *out);

/* --- Steps. --- */

/* Check the options of one image and set the names of its outputs; files are not opened yet. */
cli_end cli_photo_check(seg_context *ctx, cli_photo_options *options);

/* Whether lines for a table are made, the image's own or that of a batch. */
int cli_makes_table(const cli_photo_options *options);

/* Find the files of an image or a volume (volume.c), and set the numbers of channels and slices: image and scribbles
 * with the same number of pages, more than one, are a volume; with --volume any file of pages and any folder. Other
 * numbers are refused, and files without a slice of their name. An array is read. Free `run` in every case. */
cli_end cli_volume_find(seg_context *ctx, cli_photo_options *options, cli_photo_run *run);
void cli_volume_free(cli_volume *volume);
int cli_volume_is_folder(const cli_photo_options *options);
/* Whether each slice gets a mask of its own, and to write them. */
int cli_masks_in_folder(const cli_photo_options *options);
seg_status cli_volume_write(seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run);
/* The same for slice i of a mask, and its path by that of its image; freed by the caller, NULL: no memory. */
seg_status cli_slice_write(seg_context *ctx, const cli_photo_options *options, const char *image, const seg_mask *mask,
                           int i);
char *cli_slice_path(seg_context *ctx, const cli_photo_options *options, const char *image);
/* The name by which all slices of a file are read where it has a page for each, else the path; freed by the caller.
 * NULL: no memory. The header of a TIFF file; zeros for other files, and one that is named with a page. */
char *cli_pages_path(seg_context *ctx, const char *path, int slices);
/* The files of a folder that the names of --channels stand for; of FOLDER/WHAT the names with WHAT in place of the
 * star. Freed by the caller in every case. */
cli_end cli_channels_find(const char *folder, const char *names, seg_slice_files *out);
/* An image to learn from, its channels stacked: files of the folder `path`, or NULL; *channels: 0 for any, is set. */
cli_end cli_series_read(seg_context *ctx, const char *path, const char *files, int *channels, seg_image *out);
/* An image, all pages of a TIFF file, one for each slice and channel, or an NPY array, with *channels likewise. */
seg_status cli_image_read(seg_context *ctx, const char *path, int slices, int *channels, seg_image *out);
/* The slices of an array, those that a TIFF file's pages are, those of a range in its name, or those that it states. */
int cli_slices_of(seg_context *ctx, const char *path, int channels);
seg_image_header cli_tiff_header(seg_context *ctx, const char *path);

/* How far apart slices are, as the file says; else 1. */
double cli_spacing_of(seg_context *ctx, const char *path);
/* With --video, let a film be the folder of its frames, ./NAME-frames, made by ffmpeg where it is missing (film.c). */
cli_end cli_film_frames(cli_photo_options *options);
/* A video in a folder of more frames than are held at once (video_windows.c): how many these are, or 0; options that
 * need all frames are refused. To segment and write. */
cli_end cli_windows_find(seg_context *ctx, const cli_photo_options *options, const cli_volume *files, int *window);
cli_end cli_windows_job(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run, int window);
/* Refuse outputs that would replace a slice or a channel, of images, strokes or masks. */
cli_end cli_volume_check_files(const cli_photo_options *options, const cli_volume *volume);
/* Refuse outputs that a volume does not have. */
cli_end cli_volume_check(const cli_photo_options *options);

/* Whether a mask of this name is written as TIFF. */
int cli_is_tiff(const char *path);

/* List all files that a run reads and writes, *count of them at *uses, which is to be freed in every case. */
cli_end cli_list_uses(const cli_photo_options *options, cli_use **uses, size_t *count);

/* contact_sheet.c: up to 16 slices of a volume with the mask, side by side. `out` is replaced; it may be the volume. */
seg_status cli_contact_sheet(seg_context *ctx, const seg_image *volume, const seg_mask *mask,
                             const seg_overlay_style *style, seg_image *out);
/* Draw the overlay over the samples of the image; a cut-out keeps the samples and adds an opacity. */
seg_status cli_draw_overlay(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

/* Tell what came of a run: warnings, the summary of -v, on a terminal the files that were written (`tell`), the report
 * of --json, scores. @return the exit code */
cli_end cli_photo_report(const seg_context *ctx, const cli_photo_options *options, const cli_photo_run *run, int tell);
/* The same of an image that was read tile by tile, which has no report or scores. */
void cli_tiled_report(const cli_photo_options *options, const cli_photo_run *run);

/* Images that are read tile by tile (tiled_job.c). */

/* Whether an image is read tile by tile: on request, or if it is a TIFF file too large to be read as a whole. */
int cli_tiled_wanted(seg_context *ctx, const cli_photo_options *options);
/* Refuse options that are impossible with tiles, and set the default name of the mask. */
cli_end cli_tiled_check(cli_photo_options *options);
/* Segment, write and report. @return the exit code */
cli_end cli_tiled_job(seg_context *ctx, const cli_photo_options *options, cli_photo_run *run);

/* Records of runs: everything that determines the result, written by --save-run and read by `segment replay`. */
/* Paths and hashes of the inputs, taken when they are read. *out is a new reference */
cli_end cli_save_run_inputs(const cli_photo_options *options, json_t **out);

/* Write the record: inputs (borrowed), every option as it was used, the hash of the mask. */
cli_end cli_save_run(seg_context *ctx, const cli_photo_options *options, json_t *inputs, const seg_result *result);

/* Read the record in a file ("-": standard input). NULL after a message; *end is CLI_FAILED if out of memory. */
json_t *cli_run_record_read(const char *path, cli_end *end);
/* Set the options of the record, whose texts are borrowed; only options that determine the result, not outputs. */
cli_end cli_run_record_options(const char *path, json_t *record, cli_photo_options *out);
