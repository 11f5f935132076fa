#include "tool/tool.h"

#include "base/alloc.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <string.h>

#define PICTURE_LIMIT (UINT64_C(1) << 31)

/* libpng leaves through longjmp; the message goes into the error record. */
static void on_error(png_structp png, png_const_charp message)
{
    et_fail(png_get_error_ptr(png), ETALON_FORMAT, "png: %s", message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void put_texts(png_structp png, png_infop info, const struct et_png_text *texts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        png_text text = {.compression = PNG_TEXT_COMPRESSION_NONE,
                         .key = (char *)(uintptr_t)texts[i].key,
                         .text = (char *)(uintptr_t)texts[i].value,
                         .text_length = strlen(texts[i].value)};
        png_set_text(png, info, &text, 1);
    }
}

enum etalon_status et_png_write(const char *path, const struct et_picture *picture,
                                const struct et_png_text *texts, size_t text_count,
                                struct etalon_error *error)
{
    struct etalon_error inner = {0};
    FILE *const file = fopen(path, "wb");
    png_structp png;
    png_infop info;
    if (!file)
        return et_fail(error, ETALON_IO, "cannot write %s: %s", path, strerror(errno));
    png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &inner, on_error, on_warning);
    info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        if (png)
            png_destroy_write_struct(&png, &info);
        fclose(file);
        return et_fail(error, ETALON_IO, "cannot write %s: %s", path, inner.text);
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    put_texts(png, info, texts, text_count);
    png_write_info(png, info);
    for (unsigned y = 0; y < picture->height; y++)
        png_write_row(png, picture->rgba + (size_t)y * picture->width * 4);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    if (fclose(file))
        return et_fail(error, ETALON_IO, "cannot write %s: %s", path, strerror(errno));
    return ETALON_OK;
}

static void set_up_rgba8(png_structp png, png_infop info)
{
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

enum etalon_status et_png_read(const char *path, struct et_picture *picture, struct etalon_error *error)
{
    FILE *const file = fopen(path, "rb");
    png_structp png;
    png_infop info;
    png_bytep *volatile rows = NULL;
    *picture = (struct et_picture){0};
    if (!file)
        return et_fail(error, ETALON_IO, "cannot open %s: %s", path, strerror(errno));
    png = png_create_read_struct(PNG_LIBPNG_VER_STRING, error, on_error, on_warning);
    info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        if (png)
            png_destroy_read_struct(&png, &info, NULL);
        fclose(file);
        et_free(rows);
        et_free(picture->rgba);
        *picture = (struct et_picture){0};
        return et_fail(error, ETALON_FORMAT, "%s is no readable PNG", path);
    }
    png_init_io(png, file);
    set_up_rgba8(png, info);
    picture->width = png_get_image_width(png, info);
    picture->height = png_get_image_height(png, info);
    if ((uint64_t)picture->width * picture->height * 4 > PICTURE_LIMIT)
        png_error(png, "picture is too large");
    picture->rgba = et_calloc((size_t)picture->width * picture->height, 4);
    rows = et_calloc(picture->height, sizeof *rows);
    if (!picture->rgba || !rows)
        png_error(png, "no memory");
    for (unsigned y = 0; y < picture->height; y++)
        rows[y] = picture->rgba + (size_t)y * picture->width * 4;
    png_read_image(png, rows);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    et_free(rows);
    return ETALON_OK;
}
