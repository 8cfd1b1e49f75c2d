/** @file image_formats.h
 *  The formats of images that are read: the one list of their names and of the endings of their files. */
#ifndef SEGMENT_IMAGE_FORMATS_H
#define SEGMENT_IMAGE_FORMATS_H

/** The formats, in the order in which lists name them.
 *  @param FIRST  macro of (identifier, name, endings of file names with commas between them) for the first format
 *  @param NEXT   macro of the same for each of the others */
#define SEG_IMAGE_FORMATS(FIRST, NEXT)                                                                                 \
    FIRST(PNG, "PNG", "png")                                                                                           \
    NEXT(JPEG, "JPEG", "jpg,jpeg,jpe,jfif")                                                                            \
    NEXT(TIFF, "TIFF", "tif,tiff")                                                                                     \
    NEXT(BMP, "BMP", "bmp,dib")                                                                                        \
    NEXT(PNM, "PNM", "pnm,ppm,pgm,pbm,pam")                                                                            \
    NEXT(WEBP, "WebP", "webp")                                                                                         \
    NEXT(GIF, "GIF", "gif")                                                                                            \
    NEXT(HEIC, "HEIC", "heic,heif")                                                                                    \
    NEXT(AVIF, "AVIF", "avif")                                                                                         \
    NEXT(JXL, "JPEG XL", "jxl")                                                                                        \
    NEXT(JP2, "JPEG 2000", "jp2,j2k,j2c,jpc")                                                                          \
    NEXT(FITS, "FITS", "fits,fit,fts")

/** @cond */
#define SEG_IMAGE_FIRST_NAME(id, name, endings)    name
#define SEG_IMAGE_NEXT_NAME(id, name, endings)     ", " name
#define SEG_IMAGE_FIRST_ENDINGS(id, name, endings) endings
#define SEG_IMAGE_NEXT_ENDINGS(id, name, endings)  "," endings
/** @endcond */

/** Their names as one text, "PNG, JPEG, ...". */
#define SEG_IMAGE_FORMAT_NAMES SEG_IMAGE_FORMATS(SEG_IMAGE_FIRST_NAME, SEG_IMAGE_NEXT_NAME)
/** All endings as one text, "png,jpg,...". */
#define SEG_IMAGE_FORMAT_ENDINGS SEG_IMAGE_FORMATS(SEG_IMAGE_FIRST_ENDINGS, SEG_IMAGE_NEXT_ENDINGS)

#endif
