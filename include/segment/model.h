/** @file model.h
 *  Learn from strokes on a few images of a series, apply to many. */
#pragma once

#include <segment/session.h>

/** @addtogroup main_job From image to mask
 *  @{ */

/** What is learned from the strokes on some images of a series for the others: a forest of extremely randomised trees
 *  [geurts2006] over the features and the position of patches and the features around them at two scales; the label
 * map; and, found by leaving images out, how reliable the forest's votes are (calibration), how strongly the graph of
 * the patches smooths them [grady2005priors, Eq. 8], and how far a patch may be from all marked ones. Opaque. Learn
 * one: seg_model_create(), seg_model_add() for each image, seg_model_learn(); or read one: seg_model_read(). Then set
 *  seg_options_set_known() for seg_segment_photo() and sessions. Use does not change a model: several contexts may use
 * it at the same time. */
typedef struct seg_model seg_model;

/** Begin a model.
 *  @param options  features, patch, reduce, graph and channels are used and are the model's from then on; NULL: the
 * defaults
 *  @param out  the model, to be freed with seg_model_free; NULL on failure
 *  @return SEG_OK, SEG_ERR_USAGE (options; a complete graph), SEG_ERR_MEMORY. Cost O(1). */
SEG_API seg_status seg_model_create(seg_context *ctx, const seg_options *options, seg_model **out);

/** Add an image and its strokes. What is needed is copied: about 400 bytes per patch, which is 10 MB for an image of
 *  0.6 megapixels or more. Labels may differ from image to image: the model's are all of them. The model that is
 *  learned depends on the order in which images are added.
 *  @param model  of seg_model_create
 *  @param name  of the image, for reports; UTF-8, copied
 *  @param photo  8 or 16 bits per sample; of a model of channels these, one below the other, of which each keeps its
 * brightness relative to the others
 *  @param scribbles  of the image's size, or that of a channel; the colours of its labels are the model's where they
 * are new
 *  @return SEG_OK, SEG_ERR_USAGE (a model that was read), SEG_ERR_INPUT (sizes differ, nothing marked), SEG_ERR_MEMORY,
 *  SEG_ERR_LIMIT, SEG_ERR_CANCELLED; the model is as before then. Cost: features and graph of the image. */
SEG_API seg_status seg_model_add(seg_context *ctx, seg_model *model, const char *name, const seg_image *photo,
                                 const seg_mask *scribbles);

/** Name a label. Labels that no image has are ignored.
 *  @param model  before or after it has learned
 *  @param label  1..SEG_MAX_LABELS
 *  @param name  UTF-8 without control characters, at most 63 bytes; copied
 *  @return SEG_OK, SEG_ERR_USAGE (a name that is too long or would break a line) */
SEG_API seg_status seg_model_name_label(seg_context *ctx, seg_model *model, int label, const char *name);

/** Learn from all images that were added; may be called again after adding more. The same bytes for the same images in
 * the same order, options and seed, with any number of threads. Of one image, or of one label, nothing can be left out:
 *  calibration, smoothing and reach are then the usual ones, and the accuracy is not known.
 *  @param ctx  the call's context; its seed chooses the forest's randomness
 *  @param model  of seg_model_create
 *  @return SEG_OK, SEG_ERR_USAGE (no images; a model that was read), SEG_ERR_MEMORY, SEG_ERR_LIMIT, SEG_ERR_CANCELLED.
 *  Cost: a forest and seven smoothings an image, for up to 20 images; a forest for each twentieth of them beyond. At
 *  most 2000 patches of an image are learned from, and 20,000 in all. */
SEG_API seg_status seg_model_learn(seg_context *ctx, seg_model *model);

/** Release a model.
 *  @param model  NULL is fine */
SEG_API void seg_model_free(seg_model *model);

/** The bytes of a model's file (docs/model-file.md), for seg_file_write().
 *  @param model  that has learned or was read
 *  @param bytes  the file; free with seg_free; NULL on failure
 *  @param size  of it
 *  @return SEG_OK, SEG_ERR_USAGE (it has not learned), SEG_ERR_MEMORY. Cost: the file's size. */
SEG_API seg_status seg_model_bytes(seg_context *ctx, const seg_model *model, void **bytes, size_t *size);
/** Read a model.
 *  @param path  file to read; "-" is standard input
 *  @param out  the model, to be freed with seg_model_free; NULL on failure. It learns nothing further.
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (not a model, of another format, cut short, damaged), SEG_ERR_MEMORY,
 *  SEG_ERR_LIMIT. Cost: the file's size; everything in it is checked before it is used. */
SEG_API seg_status seg_model_read(seg_context *ctx, const char *path, seg_model **out);

/** A label of a model. */
typedef struct seg_model_label_info {
    int number;        /**< in masks, 1..SEG_MAX_LABELS */
    uint8_t colour[3]; /**< RGB */
    const char *name;  /**< UTF-8, may be empty; borrowed */
} seg_model_label_info;

/** An image that a model learned from. */
typedef struct seg_model_image_info {
    const char *name; /**< as it was added; borrowed */
    size_t marked;    /**< patches with a stroke */
    size_t judged;    /**< of these, patches whose label other images have too */
    double accuracy;  /**< share of those that the others predict right; NAN where there are none */
} seg_model_image_info;

/** The figures of a model, one of its labels and one of its images. */
typedef struct seg_model_info {
    int labels;       /**< how many it has */
    int images;       /**< that it learned from */
    int listed;       /**< of these, how many can be asked about one by one; 0 for a model that was read */
    int judged;       /**< of these, images whose strokes were predicted by a model that had not seen them; 0 where
                           nothing could be left out */
    double accuracy;  /**< share of their marked patches that were predicted right, mean over the images; NAN for 0 */
    double least;     /**< of the worst image; NAN likewise */
    int worst;        /**< its position, from 0; -1 where nothing was judged, and in a model that was read */
    double sharpness; /**< the votes are raised to this power */
    double smoothing; /**< weight of the votes at each step of the walk: the less, the smoother */
    double reach;     /**< a patch that far from all samples is as likely unknown as not */
    int trees;        /**< of the forest; 0 before it has learned */
    size_t columns;   /**< features of a patch */
    uint64_t seed;    /**< it was learned with */
    const char *version;        /**< of the library that learned it; borrowed */
    seg_model_label_info label; /**< the label that was asked about; its name is "" where there is no such label */
    seg_model_image_info image; /**< likewise the image */
    int64_t channels;           /**< of its images; 1: grey or colours */
    int64_t reserved[7];        /**< zeros */
} seg_model_info;

/** What a model is, with one of its labels and one of its images.
 *  @param model  any
 *  @param i  position from 0: of a label below `labels`, in the order of their numbers, and of an image below `listed`,
 * in the order in which they were added
 *  @param out  every field is set */
SEG_API void seg_model_about(const seg_model *model, int i, seg_model_info *out);

/** @} */
