#include "image/colour.h"
#include "base/base.h"
#include "image/formats/decoders.h"

#define LONGEST_PROFILE ((size_t)4 << 20) /* bytes; profiles of printers have about 2 million */

/* Code points of ITU-T H.273. */
enum { PRIMARIES_2020 = 9, PRIMARIES_P3 = 12, TRANSFER_PQ = 16, TRANSFER_HLG = 18 };

seg_status seg_raster_keep_profile(seg_context *ctx, const char *name, const void *profile, size_t size,
                                   seg_raster *raster) {
    if (size == 0 || raster->icc)
        return SEG_OK;
    if (size > LONGEST_PROFILE) {
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has a colour profile of %zu bytes, which is not applied", name, size);
        return SEG_OK;
    }
    SEG_TRY(seg_allocated(raster->icc = seg_alloc(ctx, size, 1)));
    memcpy(raster->icc, profile, size);
    raster->icc_size = size;
    return SEG_OK;
}

void seg_raster_keep_primaries(seg_context *ctx, const char *name, int primaries, int transfer, seg_raster *raster) {
    if (transfer == TRANSFER_PQ || transfer == TRANSFER_HLG)
        seg_log(ctx, SEG_LOG_WARNING,
                "'%s' is an image of high dynamic range, whose brightness is taken as that of sRGB; a copy for usual "
                "screens is better",
                name);
    raster->primaries = primaries == PRIMARIES_2020 || primaries == PRIMARIES_P3 ? primaries : 0;
}

/* Pixels of three samples with `depth` bits each. All three are equal where `grey` is 1. */
typedef struct samples {
    int grey, depth;
    void *at;
    size_t count; /* pixels */
} samples;

#ifndef SEG_LIBRARY_LCMS2

static seg_status apply(seg_context *ctx, const char *name, const seg_raster *raster, SEG_UNUSED const samples *to) {
    if (raster->primaries || (raster->icc && !memmem(raster->icc, raster->icc_size, "sRGB", 4) &&
                              !memmem(raster->icc, raster->icc_size, "s\0R\0G\0B", 7)))
        seg_log(ctx, SEG_LOG_WARNING,
                "'%s' has a colour profile, which is not applied: this segment was built without Debian's "
                "liblcms2-dev; convert the image to sRGB",
                name);
    return SEG_OK;
}

#else

#include <lcms2.h>

#define GRID  9                 /* grid points per channel at which a profile is compared with sRGB */
#define ALIKE 514               /* of 65535: two 8-bit steps, by which sRGB profiles differ */
#define BLOCK ((size_t)1 << 14) /* pixels at a time */

#define FUNCTIONS(X)                                                                                                   \
    X(cmsCreateContext)                                                                                                \
    X(cmsDeleteContext)                                                                                                \
    X(cmsOpenProfileFromMemTHR)                                                                                        \
    X(cmsCreate_sRGBProfileTHR)                                                                                        \
    X(cmsCreateRGBProfileTHR)                                                                                          \
    X(cmsBuildParametricToneCurve)                                                                                     \
    X(cmsFreeToneCurve)                                                                                                \
    X(cmsCloseProfile)                                                                                                 \
    X(cmsGetColorSpace)                                                                                                \
    X(cmsCreateTransformTHR)                                                                                           \
    X(cmsDeleteTransform)                                                                                              \
    X(cmsDoTransform)

typedef struct lcms_calls {
    FUNCTIONS(SEG_LATE_POINTER)
} lcms_calls;

static const char *const names[] = {FUNCTIONS(SEG_LATE_NAME)};
static const seg_late_library library = {SEG_LIBRARY_LCMS2, SEG_PACKAGE_LCMS2, sizeof names / sizeof *names, names};

typedef struct conversion {
    lcms_calls call;
    cmsContext lcms;
    cmsHPROFILE from, to;
    cmsHTRANSFORM wide, narrow; /* of 16-bit samples; of samples of the image's depth */
    int grey;                   /* the profile is of one channel */
} conversion;

/* An RGB profile with the primaries of that code point and sRGB's transfer curve. */
static cmsHPROFILE make_profile(const conversion *c, int primaries) {
    static const cmsCIExyY white = {0.3127, 0.3290, 1};
    static const cmsCIExyYTRIPLE p3 = {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}};
    static const cmsCIExyYTRIPLE wide = {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}};
    static const cmsFloat64Number srgb[5] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = c->call.cmsBuildParametricToneCurve(c->lcms, 4, srgb);
    cmsToneCurve *const curves[3] = {curve, curve, curve};
    cmsHPROFILE made = NULL;
    if (curve)
        made = c->call.cmsCreateRGBProfileTHR(c->lcms, &white, primaries == PRIMARIES_P3 ? &p3 : &wide, curves);
    if (curve)
        c->call.cmsFreeToneCurve(curve);
    return made;
}

/* 16-bit samples are converted without optimisation, whose coarse table is several 8-bit steps off in dark colours. */
static cmsHTRANSFORM make_transform(const conversion *c, int depth) {
    const cmsUInt32Number from = c->grey ? TYPE_GRAY_16 : depth == 8 ? TYPE_RGB_8 : TYPE_RGB_16;
    return c->call.cmsCreateTransformTHR(
        c->lcms, c->from, from, c->to, depth == 8 ? TYPE_RGB_8 : TYPE_RGB_16, INTENT_RELATIVE_COLORIMETRIC,
        cmsFLAGS_NOCACHE | cmsFLAGS_BLACKPOINTCOMPENSATION | (depth == 8 ? 0 : cmsFLAGS_NOOPTIMIZE));
}

/* 1 where the transform changes no colour of the grid by more than ALIKE: the profile is one of sRGB. */
static int is_srgb(const conversion *c) {
    for (int i = 0; i < GRID * GRID * GRID; i++) {
        const int step[3] = {i % GRID, i / GRID % GRID, i / GRID / GRID};
        uint16_t in[3], out[3];
        if (c->grey && (step[1] != step[0] || step[2] != step[0]))
            continue;
        for (int k = 0; k < 3; k++)
            in[k] = (uint16_t)(step[k] * 65535 / (GRID - 1));
        c->call.cmsDoTransform(c->wide, in, out, 1);
        for (int k = 0; k < 3; k++)
            if (abs(in[k] - out[k]) > ALIKE)
                return 0;
    }
    return 1;
}

typedef struct converting {
    const conversion *c;
    const samples *to;
    const uint16_t *table; /* for grey images: the converted value of each 16-bit grey; else NULL */
} converting;

static void convert_blocks(void *arg, size_t first, size_t last, SEG_UNUSED int worker) {
    const converting *p = arg;
    for (size_t block = first; block < last; block++) {
        const size_t begin = block * BLOCK, end = begin + BLOCK < p->to->count ? begin + BLOCK : p->to->count;
        uint8_t *at = (uint8_t *)p->to->at + begin * 3 * (size_t)(p->to->depth / 8);
        if (!p->table)
            p->c->call.cmsDoTransform(p->c->narrow, at, at, (cmsUInt32Number)(end - begin));
        for (size_t i = 0; p->table && i < 3 * (end - begin); i++)
            if (p->to->depth == 8)
                at[i] = (uint8_t)((p->table[at[i] * 257] + 128) / 257);
            else
                ((uint16_t *)(void *)at)[i] = p->table[((uint16_t *)(void *)at)[i]];
    }
}

/* Fill the table with the converted value of each 16-bit grey: its green channel. */
static void fill_table(const conversion *c, uint16_t *table) {
    for (unsigned v = 0; v < 65536; v++) {
        const uint16_t in[3] = {(uint16_t)v, (uint16_t)v, (uint16_t)v};
        uint16_t out[3];
        c->call.cmsDoTransform(c->wide, in, out, 1);
        table[v] = out[1];
    }
}

/* 1 where the profile can be used, 0 where it is for other kinds of samples, -1 where it is damaged. */
static int prepare(conversion *c, const seg_raster *raster, int grey, int depth) {
    c->lcms = c->call.cmsCreateContext(NULL, NULL);
    if (!c->lcms)
        return -1;
    c->from = raster->icc ? c->call.cmsOpenProfileFromMemTHR(c->lcms, raster->icc, (cmsUInt32Number)raster->icc_size)
                          : make_profile(c, raster->primaries);
    c->to = c->call.cmsCreate_sRGBProfileTHR(c->lcms);
    if (!c->from || !c->to)
        return -1;
    const cmsColorSpaceSignature space = c->call.cmsGetColorSpace(c->from);
    c->grey = space == cmsSigGrayData;
    if (c->grey ? !grey : space != cmsSigRgbData)
        return 0;
    c->wide = make_transform(c, 16);
    c->narrow = depth == 8 && !grey ? make_transform(c, 8) : c->wide;
    return c->wide && c->narrow ? 1 : -1;
}

static void end(conversion *c) {
    if (c->narrow && c->narrow != c->wide)
        c->call.cmsDeleteTransform(c->narrow);
    if (c->wide)
        c->call.cmsDeleteTransform(c->wide);
    if (c->from)
        c->call.cmsCloseProfile(c->from);
    if (c->to)
        c->call.cmsCloseProfile(c->to);
    if (c->lcms)
        c->call.cmsDeleteContext(c->lcms);
}

static seg_status apply(seg_context *ctx, const char *name, const seg_raster *raster, const samples *to) {
    conversion c = {0};
    SEG_FREED uint16_t *table = NULL;
    if (!raster->icc && !raster->primaries)
        return SEG_OK;
    seg_status status = seg_late_load(ctx, &library, name, "an image with a colour profile", &c.call);
    if (status == SEG_ERR_INPUT) {
        seg_log(ctx, SEG_LOG_WARNING,
                "'%s' has a colour profile, which is not applied: install Debian's %s, or convert the image to sRGB",
                name, library.package);
        return SEG_OK;
    }
    SEG_TRY(status);
    errno = 0; /* lcms does not report a lack of memory: malloc does */
    const int usable = prepare(&c, raster, to->grey, to->depth), exhausted = errno == ENOMEM;
    if (usable < 0 && exhausted)
        status = seg_no_memory_to_read(ctx, name);
    else if (usable < 0)
        seg_log(ctx, SEG_LOG_WARNING, "'%s' has a damaged colour profile, which is not applied", name);
    if (usable > 0 && !is_srgb(&c)) {
        if (to->grey && !(table = seg_alloc(ctx, 65536, sizeof *table)))
            status = SEG_ERR_MEMORY;
        if (table)
            fill_table(&c, table);
        if (status == SEG_OK) {
            seg_parallel(ctx, (to->count + BLOCK - 1) / BLOCK, 1, convert_blocks, &(converting){&c, to, table});
            seg_log(ctx, SEG_LOG_INFO, "'%s' has a colour profile of another space; its colours were made sRGB", name);
        }
    }
    end(&c);
    return status;
}

#endif

seg_status seg_image_to_srgb(seg_context *ctx, const char *name, const seg_raster *raster, seg_image *image) {
    return apply(ctx, name, raster,
                 &(samples){image->grey, image->depth, image->data, (size_t)image->width * (size_t)image->height});
}

seg_status seg_raster_to_srgb(seg_context *ctx, const char *name, seg_raster *raster) {
    samples to = {0, 8, raster->palette, (size_t)raster->palette_count};
    if (raster->kind == SEG_RASTER_RGB && (raster->bits == 8 || raster->bits == 16))
        to = (samples){0, raster->bits, raster->sample8 ? (void *)raster->sample8 : raster->sample16,
                       (size_t)raster->width * (size_t)raster->height};
    else if (raster->kind != SEG_RASTER_PALETTE)
        return SEG_OK;
    return apply(ctx, name, raster, &to);
}
