#include "image/formats/decoders.h"

#include <errno.h>
#include <libexif/exif-data.h>
#include <string.h>

#define MOST_EXIF       4096  /* bytes; what the orientation is in stands first */
#define LONGEST_SEGMENT 65533 /* bytes a JPEG segment can hold */

int seg_exif_orientation(const unsigned char *bytes, size_t size) {
    const int before = errno;
    int orientation = 1;
    if (size < 6 || size > LONGEST_SEGMENT || memcmp(bytes, "Exif\0\0", 6) != 0)
        return 1;
    errno = 0; /* libexif goes on without what it has no memory for: only malloc tells */
    ExifData *data = exif_data_new();
    if (!data)
        return 0;
    exif_data_unset_option(data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION); /* read what is there, repair nothing */
    exif_data_load_data(data, bytes, (unsigned)size);
    ExifEntry *entry = exif_content_get_entry(data->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION);
    if (entry && entry->format == EXIF_FORMAT_SHORT && entry->components >= 1 && entry->size >= 2)
        orientation = exif_get_short(entry->data, exif_data_get_byte_order(data));
    exif_data_unref(data);
    const int exhausted = errno == ENOMEM;
    errno = before;
    if (exhausted)
        return 0;
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
}

int seg_exif_plain_orientation(const unsigned char *bytes, size_t size) {
    unsigned char exif[MOST_EXIF + 6] = "Exif\0";
    const size_t look = size < MOST_EXIF ? size : MOST_EXIF;
    if (look >= 6 && memcmp(bytes, exif, 6) == 0)
        return seg_exif_orientation(bytes, look);
    memcpy(exif + 6, bytes, look);
    return seg_exif_orientation(exif, look + 6);
}
