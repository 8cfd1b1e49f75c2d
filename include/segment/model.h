/** @file model.h
 *  Learn a model from strokes on a few images of a series and apply it to many. */
#pragma once

#include <segment/session.h>

/** @addtogroup main_job From image to mask
 *  @{ */

/** A model learned from strokes on some images of a series: a forest of extremely randomised trees [geurts2006]
 *  on the features and position of patches and the features around them at two scales; the label map; and, determined
 *  by leaving images out, the calibration of the forest's votes, the strength of their smoothing by the graph of the
 *  patches [grady2005priors, Eq. 8], and the largest distance of a patch from all marked ones. Opaque. To learn one:
 *  seg_model_create(), seg_model_add() for each image, seg_model_learn(); to read one: seg_model_read(). Then call
 *  seg_options_set_known() for seg_segment_photo() and sessions. Using a model does not change it: several contexts may
 *  use it at the same time. */
typedef struct seg_model seg_model;

/** Create a model.
 *  @param options  features, patch, reduce, graph and channels are stored in the model; NULL: the defaults
 *  @param out  the model, to be freed with seg_model_free; NULL on failure
 *  @return SEG_OK, SEG_ERR_USAGE (options; a complete graph), SEG_ERR_MEMORY. Cost O(1). */
SEG_API seg_status seg_model_create(seg_context *ctx, const seg_options *options, seg_model **out);

/** Add an image and its strokes. The model copies about 400 bytes per patch, which is 10 MB for an image
 *  of 0.6 megapixels or more. Labels may differ between images: the model has all of them. The learned
 *  model depends on the order in which images are added.
 *  @param model  from seg_model_create
 *  @param name  of the image, for reports; UTF-8, copied
 *  @param photo  8 or 16 bits per sample; for a model with channels the channels, one below the other, each with
 *  its brightness relative to the others
 *  @param scribbles  of the image's size, or that of a channel; new labels keep their colours
 *  @return SEG_OK, SEG_ERR_USAGE (a model that was read), SEG_ERR_INPUT (sizes differ, nothing marked), SEG_ERR_MEMORY,
 *  SEG_ERR_LIMIT, SEG_ERR_CANCELLED; on failure the model is unchanged. Cost: features and graph of the image. */
SEG_API seg_status seg_model_add(seg_context *ctx, seg_model *model, const char *name, const seg_image *photo,
                                 const seg_mask *scribbles);

/** Name a label. Labels that no image has are ignored.
 *  @param model  before or after learning
 *  @param label  1..SEG_MAX_LABELS
 *  @param name  UTF-8 without control characters, at most 63 bytes; copied
 *  @return SEG_OK, SEG_ERR_USAGE (a name that is too long or would break a line) */
SEG_API seg_status seg_model_name_label(seg_context *ctx, seg_model *model, int label, const char *name);

/** Learn from all added images; may be called again after adding more. The same images in the same order,
 *  options and seed give the same bytes with any number of threads. With one image or one label nothing can be left
 *  out: calibration, smoothing and reach are then defaults, and the accuracy is unknown.
 *  @param ctx  the call's context; its seed determines the randomness of the forest
 *  @param model  of seg_model_create
 *  @return SEG_OK, SEG_ERR_USAGE (no images; a model that was read), SEG_ERR_MEMORY, SEG_ERR_LIMIT, SEG_ERR_CANCELLED.
 *  Cost: a forest and seven smoothings per image for up to 20 images; beyond, a forest per twentieth of
 *  them. At most 2000 patches per image are used, and 20,000 in total. */
SEG_API seg_status seg_model_learn(seg_context *ctx, seg_model *model);

/** Release a model.
 *  @param model  NULL is fine */
SEG_API void seg_model_free(seg_model *model);

/** The bytes of a model's file (docs/model-file.md), for seg_file_write().
 *  @param model  after learning or reading
 *  @param bytes  the file; free with seg_free; NULL on failure
 *  @param size  of it
 *  @return SEG_OK, SEG_ERR_USAGE (it has not learned), SEG_ERR_MEMORY. Cost: O(size). */
SEG_API seg_status seg_model_bytes(seg_context *ctx, const seg_model *model, void **bytes, size_t *size);
/** Read a model.
 *  @param path  file to read; "-" is standard input
 *  @param out  the model, to be freed with seg_model_free; NULL on failure. It cannot learn further.
 *  @return SEG_OK, SEG_ERR_IO, SEG_ERR_INPUT (not a model, of another format, truncated, damaged), SEG_ERR_MEMORY,
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
    size_t judged;    /**< those of them whose label other images also have */
    double accuracy;  /**< share of those that the others predict correctly; NAN if there are none */
} seg_model_image_info;

/** The figures of a model, one of its labels and one of its images. */
typedef struct seg_model_info {
    int labels;      /**< number of labels */
    int images;      /**< number of images that it learned from */
    int listed;      /**< number of these that can be queried; 0 for a model that was read */
    int judged;      /**< images whose strokes were predicted by a model without them; 0 if none could be left out */
    double accuracy; /**< share of their marked patches that are predicted correctly, mean over the images; NAN for 0 */
    double least;    /**< accuracy of the worst image; NAN likewise */
    int worst;       /**< its position, from 0; -1 if nothing was judged or the model was read */
    double sharpness;           /**< the votes are raised to this power */
    double smoothing;           /**< weight of the votes at each step of the walk: the smaller, the smoother */
    double reach;               /**< a patch at this distance from all samples is unknown with probability 1/2 */
    int trees;                  /**< of the forest; 0 before it has learned */
    size_t columns;             /**< features of a patch */
    uint64_t seed;              /**< used for learning */
    const char *version;        /**< version of the library that learned it; borrowed */
    seg_model_label_info label; /**< the queried label; its name is "" if there is no such label */
    seg_model_image_info image; /**< likewise the image */
    int64_t channels;           /**< of its images; 1: grey or colours */
    int64_t reserved[7];        /**< zeros */
} seg_model_info;

/** Describe a model, one of its labels and one of its images.
 *  @param model  any
 *  @param i  position from 0: of a label (below `labels`, in ascending order) and of an image (below
 *  `listed`, in the order of addition)
 *  @param out  every field is set */
SEG_API void seg_model_about(const seg_model *model, int i, seg_model_info *out);

/** @} */
