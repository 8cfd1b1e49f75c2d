/** @file options.h
 *  The table of options: one row describes an option completely. The command line, its help and manual page, records of
 *  runs, reports and bindings all take options from it. */
#pragma once

#include <segment/photo.h>

/** @addtogroup main_job From image to mask
 *  @{ */

/** The type of an option's field, and the texts that it accepts. Numbers are decimal; names match in any case, except
 *  names of a method's parameters. */
typedef enum seg_option_type {
    SEG_OPTION_SHARED = 0, /**< not a type: a row of a program that reuses the row of this name */
    SEG_OPTION_FLAG,       /**< int: how often the option was given; takes no value */
    SEG_OPTION_INT,        /**< int, low .. high */
    SEG_OPTION_WHOLE,      /**< int64_t, low .. high */
    SEG_OPTION_REAL,       /**< double, low .. high, which may be INFINITY */
    SEG_OPTION_CHOICE,     /**< int or an enum: the position among `choices`, plus low */
    SEG_OPTION_BYTES,      /**< size_t: 500M, 2G, 1.5GiB or a number; 0 if it is not given */
    SEG_OPTION_TEXT,       /**< const char *: the text itself, which is borrowed */
    SEG_OPTION_TEXTS,      /**< seg_texts: one more text, borrowed; may be given several times */
    SEG_OPTION_FEATURES,   /**< seg_feature_spec: "mean,spread=0.5,position=2": named kinds
                               get their weight (default 1), all others 0 */
    SEG_OPTION_METHOD,     /**< seg_options: the name of a method; its parameters get their defaults */
    SEG_OPTION_PARAM,      /**< seg_options: NAME=VALUE of the method; may be given several times */
    SEG_OPTION_LABELS,     /**< uint8_t[32], a bit per label: numbers 1..255 separated by commas, or `all` */
    SEG_OPTION_ISLANDS,    /**< of seg_options: one of `choices`, or remove: and labels, as in remove:1,3 */
    SEG_OPTION_BOX         /**< of seg_options: left, top, width and height, as in 10,20,200,100 */
} seg_option_type;

/** Groups of options, the headings of the help. */
typedef enum seg_option_group {
    SEG_OPTIONS_INPUT = 1, /**< what to segment */
    SEG_OPTIONS_OUTPUT,    /**< what to write */
    SEG_OPTIONS_HOW,       /**< how to segment */
    SEG_OPTIONS_SAY        /**< messages and progress */
} seg_option_group;

/** Properties of an option, or-ed. */
typedef enum seg_option_trait {
    SEG_OPTION_MAKES_RESULT = 1, /**< another value gives another result: records of runs contain it */
    SEG_OPTION_IMPORTANT = 2,    /**< one of the few in the short help */
    SEG_OPTION_HIDDEN = 4,       /**< an earlier name, which is accepted but not shown */
    SEG_OPTION_UNSET_BELOW = 8   /**< a number below `low` means that the option is not given */
} seg_option_trait;

/** An option. Static storage; rows are read through pointers, and fields may be added at the end. */
typedef struct seg_option {
    const char *name;           /**< as in --name NAME */
    char letter;                /**< as in -k; 0 if there is none */
    seg_option_type type;       /**< of the field */
    size_t offset;              /**< of the field in the struct */
    double low;                 /**< smallest legal number; for a choice the value of its first name */
    double high;                /**< largest legal number */
    const char *const *choices; /**< NULL-ended names, for features those of the kinds; else NULL */
    const char *initial;        /**< the default as a text; NULL if it depends on the data or there is none */
    const char *unit;           /**< "pixels", "seconds"; NULL for plain numbers and names */
    const char *value;          /**< placeholder of the value in a help: "N", "FILE"; NULL without a value */
    const char *help;           /**< one line, without the default */
    const char *needs;          /**< name of the option that must be given with it and is set first; or NULL */
    seg_option_group group;     /**< its group */
    unsigned traits;            /**< seg_option_trait */
} seg_option;

/** Parts of a row, for tables: {SEG_OPTION_ROW("knn", 0, INT, offset), SEG_OPTION_RANGE(1, 1000), SEG_OPTION_SAID("N",
 *  "12", NULL, "Nearest neighbours"), SEG_OPTION_KIND(HOW, SEG_OPTION_MAKES_RESULT)}. What is not named is zero. */
#define SEG_OPTION_ROW(NAME, LETTER, TYPE, OFFSET)                                                                     \
    .name = NAME, .letter = LETTER, .type = SEG_OPTION_##TYPE, .offset = OFFSET
#define SEG_OPTION_RANGE(LOW, HIGH)      .low = LOW, .high = HIGH                       /**< see SEG_OPTION_ROW */
#define SEG_OPTION_CHOICES(NAMES, FIRST) .choices = NAMES, .low = FIRST                 /**< see SEG_OPTION_ROW */
#define SEG_OPTION_NEEDS(NAME)           .needs = NAME                                  /**< see SEG_OPTION_ROW */
#define SEG_OPTION_KIND(GROUP, TRAITS)   .group = SEG_OPTIONS_##GROUP, .traits = TRAITS /**< see SEG_OPTION_ROW */
/** See SEG_OPTION_ROW. */
#define SEG_OPTION_SAID(VALUE, INITIAL, UNIT, HELP) .value = VALUE, .initial = INITIAL, .unit = UNIT, .help = HELP

/** Texts of an option that may be given several times, in the order given. */
typedef struct seg_texts {
    const char **at; /**< the texts are borrowed, the array is owned; free with free() */
    int count;       /**< number of texts */
} seg_texts;

/** The options of seg_options in the order of records and reports.
 *  @param i  from 0
 *  @return the row, or NULL after the last */
SEG_API const seg_option *seg_option_at(int i);
/** The option of that name or, for one character, letter.
 *  @param name  as in --name, without dashes
 *  @return the row, or NULL */
SEG_API const seg_option *seg_option_find(const char *name);

/** Set an option by its name.
 *  @param options  one field is changed (the method also resets the parameters)
 *  @param name  of the option, without dashes
 *  @param text  the value; borrowed for the call
 *  @return SEG_OK; SEG_ERR_USAGE (no such option, or a value out of range: the message begins with the name and
 *  says what is legal); SEG_ERR_MEMORY. On failure the options are unchanged. */
SEG_API seg_status seg_options_set(seg_context *ctx, seg_options *options, const char *name, const char *text);
/** The value of an option as the text that sets the same value.
 *  @param options  the options
 *  @param name  of the option, without dashes
 *  @param text  room for the value; empty if the option is not given and has no default, or lists several texts
 *  @param size  of the room in bytes
 *  @return SEG_OK; SEG_ERR_USAGE (no such option, or too little room). */
SEG_API seg_status seg_options_get(seg_context *ctx, const seg_options *options, const char *name, char *text,
                                   size_t size);

/** @} */
