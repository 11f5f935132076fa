/* `etalon compare A B`: exact, never with a tolerance. */
#include "tool/tool.h"

#include "base/alloc.h"
#include "base/bits.h"
#include "capture/tar.h"

#include <stdio.h>
#include <stdlib.h>

#define CHANNELS 4

static const char help[] =
    "usage: etalon compare A B [--diff OUT.png] [--pixel BYTES] [--width PIXELS]\n"
    "\n"
    "Compares two PNG files, or two raw files, byte for byte. Prints the first differing pixel, the number "
    "of\n"
    "differing pixels and the largest difference of each channel. Raw files are read as pixels of --pixel "
    "bytes\n"
    "(default 4, one channel a byte) in rows of --width pixels (default: one row).\n"
    "  --diff OUT.png  a picture of the differences: equal pixels black, others scaled up to be seen\n"
    "Exit: 0 equal, 1 different (size too), 2 unreadable.\n";

struct options {
    const char *diff;
    unsigned long long pixel, width;
};

/* Rows of pixels of `pixel` bytes. */
struct image {
    uint8_t *bytes;
    size_t size;
    unsigned long long width, height, pixel;
};

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && !strcmp(text + n - m, end);
}

static enum etalon_status load(const char *path, const struct options *options, struct image *image,
                               struct etalon_error *error)
{
    enum etalon_status status;
    if (ends_with(path, ".png")) {
        struct et_picture picture;
        status = et_png_read(path, &picture, error);
        *image = (struct image){picture.rgba, (size_t)picture.width * picture.height * 4, picture.width,
                                picture.height, 4};
        return status;
    }
    *image = (struct image){.pixel = options->pixel, .width = options->width};
    status = et_file_read(path, UINT64_C(1) << 32, &image->bytes, &image->size, error);
    if (!image->width)
        image->width = ET_MAX(1, image->size / image->pixel);
    image->height = image->size / (image->width * image->pixel);
    return status;
}

static enum etalon_status write_diff(const char *path, const struct image *a, const struct image *b,
                                     struct etalon_error *error)
{
    struct et_picture picture = {(unsigned)a->width, (unsigned)a->height, NULL};
    enum etalon_status status;
    picture.rgba = et_calloc(a->width * a->height, 4);
    if (!picture.rgba)
        return et_fail(error, ETALON_NO_MEMORY, "no memory for the difference picture");
    for (size_t p = 0; p < a->width * a->height; p++) {
        uint8_t *out = picture.rgba + 4 * p;
        const uint8_t *pa = a->bytes + p * a->pixel, *pb = b->bytes + p * a->pixel;
        for (size_t i = 0; i < a->pixel; i++) {
            const int d = abs(pa[i] - pb[i]), shown = d ? ET_MIN(255, 64 + 8 * d) : 0;
            uint8_t *const channel = &out[i % 4 == 3 ? 0 : i % 4];
            *channel = (uint8_t)ET_MAX(*channel, shown);
        }
        out[3] = 255;
    }
    status = et_png_write(path, &picture, NULL, 0, error);
    et_free(picture.rgba);
    return status;
}

static int report(const struct image *a, const struct image *b)
{
    unsigned largest[CHANNELS] = {0};
    size_t different = 0, first = 0;
    const size_t pixels = a->size / a->pixel;
    for (size_t p = 0; p < pixels; p++) {
        const uint8_t *pa = a->bytes + p * a->pixel, *pb = b->bytes + p * a->pixel;
        if (!memcmp(pa, pb, a->pixel))
            continue;
        if (!different++)
            first = p;
        for (size_t i = 0; i < a->pixel; i++)
            largest[i % CHANNELS] = ET_MAX(largest[i % CHANNELS], (unsigned)abs(pa[i] - pb[i]));
    }
    if (!different && memcmp(a->bytes + pixels * a->pixel, b->bytes + pixels * a->pixel, a->size % a->pixel))
        different = 1, first = pixels;
    if (!different) {
        printf("equal: %llu x %llu pixels\n", a->width, a->height);
        return ET_TOOL_OK;
    }
    printf("different: %zu of %zu pixels; first at x=%llu y=%llu; largest difference by byte of the pixel: "
           "%u %u %u "
           "%u\n",
           different, pixels, first % a->width, first / a->width, largest[0], largest[1], largest[2],
           largest[3]);
    return ET_TOOL_DIFFERENT;
}

int et_tool_compare(int argc, char **argv)
{
    struct options options = {.pixel = 4};
    const struct et_tool_option known[] = {et_option_text("--diff", &options.diff),
                                           et_option_number("--pixel", &options.pixel, 1, 64),
                                           et_option_number("--width", &options.width, 0, 1 << 24)};
    const struct et_tool_syntax syntax = {.name = "compare",
                                          .help = help,
                                          .options = known,
                                          .option_count = ET_COUNT(known),
                                          .wanted = "a file",
                                          .most = 2};
    struct image image[2] = {{0}};
    struct etalon_error error = {0};
    int files, result = et_tool_arguments(&syntax, argc, argv, &files);
    if (result != ET_TOOL_GO)
        return result;
    if (files != 2)
        return et_tool_usage("compare", "two files are needed");
    if (load(argv[0], &options, &image[0], &error) || load(argv[1], &options, &image[1], &error))
        result = et_tool_error("compare", &error);
    else if (image[0].size != image[1].size || image[0].width != image[1].width) {
        printf("different size: %llu x %llu (%zu bytes) and %llu x %llu (%zu bytes)\n", image[0].width,
               image[0].height, image[0].size, image[1].width, image[1].height, image[1].size);
        result = ET_TOOL_DIFFERENT;
    } else {
        result = report(&image[0], &image[1]);
        if (options.diff && write_diff(options.diff, &image[0], &image[1], &error))
            result = et_tool_error("compare", &error);
    }
    et_free(image[0].bytes);
    et_free(image[1].bytes);
    return result;
}
