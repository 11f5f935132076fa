/* Plane equations as the rasterizer's setup makes them and as IPA and the depth unit evaluate them.
 * The rules and their evidence: plane.c. */
#ifndef ET_NUMERIC_PLANE_H
#define ET_NUMERIC_PLANE_H

#include <stdbool.h>
#include <stdint.h>

#define ET_PLANE_TILE (8 * 256) /* of a depth plane's constants, 1/256 sample */

/* What et_plane_cells may count on. */
enum et_plane_kind {
    ET_PLANE_GENERAL,
    ET_PLANE_FLAT, /* the same everywhere, a normal single */
    ET_PLANE_EASY  /* plain, without tiles; in the cells of the viewport's clip rectangle every sum is exact
                      and  a normal single or 0 */
};

/* value(x, y) = a*(x - rx) + b*(y - ry) + c with x, y, rx, ry in 1/256 pixel. Made by the functions below. */
struct et_plane {
    double a, b, c;   /* exact: a and b hold 24 bits, c at most 53 */
    double unit;      /* what a negative sum gains: see plane.c */
    double tile_unit; /* 0, or where products in a tile's constant are cut */
    int32_t rx, ry;
    int32_t reach;          /* doubles are exact while |x - rx|, |y - ry| <= reach; negative: never */
    bool plain;             /* products are exact at pixels' centres and samples */
    uint8_t kind;           /* enum et_plane_kind */
    int32_t tile_x, tile_y; /* depth: evaluated from a constant a tile of that size, a power of two; 0: not */
};

/* What the planes of one triangle share. */
struct et_plane_basis {
    struct et_plane_number {
        int64_t m; /* m * 2^e */
        int32_t e;
    } ex[3], ey[3];                    /* gradients of the barycentric coordinates but r's, per pixel */
    struct et_plane_number x[3], y[3]; /* vertices, 1/256 pixel */
    int r, base;                       /* reference vertices of differences, of the constant */
    int32_t rx, ry;                    /* reference point, pixels */
    int32_t reach;
};

/* Vertices in 1/256 pixel, whole numbers of up to 62 bits times 2^e, e >= 0; x0..y1 the viewport's clip
 * rectangle in pixels, max exclusive and not empty; scissors do not count. False when the triangle has no
 * area. */
bool et_plane_basis_make(struct et_plane_basis *basis, const struct et_plane_number x[3],
                         const struct et_plane_number y[3], int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* The line from vertex 0 to 1, half_width > 0 to each side in 1/256 pixel: value 2 of its planes is not used.
 * False when the line has no length. */
bool et_plane_basis_make_line(struct et_plane_basis *basis, const int64_t x[2], const int64_t y[2],
                              int64_t half_width, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* Moves the reference point of a line's planes along its longer axis, to the place of its uppermost pixel. */
void et_plane_basis_start_line_at(struct et_plane_basis *basis, bool x_major, int64_t top, int32_t x0,
                                  int32_t y0, int32_t x1, int32_t y1);
/* The same of an aliased line, whose values change along its longer axis alone. top: the place on that axis
 * of its uppermost pixel; if its ends lie in one row, of its last one. [HW:H200] */
bool et_plane_basis_make_aliased_line(struct et_plane_basis *basis, const int64_t x[2], const int64_t y[2],
                                      int64_t top, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* A point of size > 0 in 1/256 pixel: value 0 of its planes is at the centre, value 1 at a size to the right,
 * value 2 at a size below. */
void et_plane_basis_make_point(struct et_plane_basis *basis, int64_t x, int64_t y, int64_t size, int32_t x0,
                               int32_t y0, int32_t x1, int32_t y1);
/* The plane through value[k] at vertex k. `depth`: as the depth unit has it, which also gives gl_FragCoord.z.
 */
void et_plane_make(const struct et_plane_basis *basis, const float value[3], bool depth,
                   struct et_plane *plane);
/* A plane from coefficients (per pixel) at a reference point in 1/256 pixel: lines and points. */
void et_plane_from_linear(struct et_plane *plane, double a, double b, double c, int32_t rx, int32_t ry,
                          int32_t reach);
/* Depth bias for a triangle's z plane: the constant and the slope factor's part; 0 where one is not finite.
 */
double et_plane_bias(const struct et_plane *plane, float factor, double constant);
/* Adds a bias to c. */
void et_plane_add(struct et_plane *plane, double bias);

/* Evaluates at n positions x, y in 1/256 pixel (window coordinates; a pixel's centre is 256 * i + 128). */
void et_plane_evaluate(const struct et_plane *plane, unsigned n, const int32_t *x, const int32_t *y,
                       float *out);
/* The same where a fragment stands for 2^across x 2^down pixels: its quad is as much larger. [HW:H200] */
void et_plane_evaluate_coarse(const struct et_plane *plane, unsigned n, const int32_t *x, const int32_t *y,
                              unsigned across, unsigned down, float *out);

#endif
