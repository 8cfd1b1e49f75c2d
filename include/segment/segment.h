/** @file segment.h
 *  libsegment: constrained segmentation of images and constrained clustering of vectors and graphs.
 *  Include this for everything. Ownership in one rule: a function that fills an `out` struct gives it to the caller,
 *  who releases it with the type's _free function; everything passed as const is borrowed for the call. */
#pragma once

#include <segment/active.h>
#include <segment/constraints.h>
#include <segment/context.h>
#include <segment/exports.h>
#include <segment/features.h>
#include <segment/graph.h>
#include <segment/image.h>
#include <segment/matrix.h>
#include <segment/methods.h>
#include <segment/metrics.h>
#include <segment/model.h>
#include <segment/names.h>
#include <segment/options.h>
#include <segment/overlay.h>
#include <segment/photo.h>
#include <segment/regions.h>
#include <segment/session.h>
#include <segment/status.h>
#include <segment/tiled.h>
#include <segment/vectors.h>
#include <segment/version.h>

/** @example segment_photo.c
 *  From an image and strokes to a mask and an overlay, with progress. */
/** @example pixels_in_memory.c
 *  From pixels and labels in memory to a mask. */
/** @example add_strokes.c
 *  A session: strokes are added while the user watches the mask. */
/** @example cluster_vectors.c
 *  Constrained clustering of points that do not come from an image. */
