/* Any bytes as a label map; what is read and written again reads the same. */
#include "fuzz.h"

#include "image/labels.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    seg_context ctx = fuzz_context();
    seg_labelmap map, again;
    const seg_status status = seg_labelmap_parse(&ctx, (const char *)bytes, size, "fuzz", &map);
    if (!fuzz_outcome(&ctx, status, REFUSED, &map, sizeof map))
        return 0;
    CHECK(map.count >= 1 && map.count <= SEG_MAX_LABELS);
    char text[SEG_MAX_LABELS * 80 + 8];
    size_t used =
        (size_t)sprintf(text, "#\n"); /* so that no name begins the file: it may look like a byte order mark */
    for (int i = 0; i < map.count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s:%d,%d,%d\n", map.name[i], map.colour[i][0],
                                 map.colour[i][1], map.colour[i][2]);
    CHECK(seg_labelmap_parse(&ctx, text, used, "again", &again) == SEG_OK);
    CHECK(memcmp(&map, &again, sizeof map) == 0);
    return 0;
}
