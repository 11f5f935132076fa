/* The raster part of a frozen draw: pure data, class-free.
 *
 * A field whose comment says [raw NAME] holds the register field of that name as the program wrote it; both
 * 3D classes share these encodings. Enumerations that exist in an OGL and a D3D numbering (functions, stencil
 * operations, blend factors and equations) are accepted in either. Rectangles are in pixels, max exclusive.
 */
#ifndef ET_RASTERIZER_STATE_H
#define ET_RASTERIZER_STATE_H

#include "memory/pagemap.h"

#define ET_TARGETS      8
#define ET_VIEWPORTS    16
#define ET_WINDOW_CLIPS 8
#define ET_SAMPLES_MAX  16

/* A colour or depth target, as memory. Sizes are in stored elements: samples, where a pixel has several. */
struct et_target {
    uint64_t address;
    uint32_t format;      /* [raw SET_COLOR_TARGET_FORMAT / SET_ZT_FORMAT]; 0: none (colour) */
    uint32_t width;       /* elements a row; pitch-linear: bytes a row (the pitch) [raw ..._WIDTH] */
    uint32_t height;      /* rows of elements [raw ..._HEIGHT] */
    uint32_t layers;      /* array size, or depth where `volume` [raw ..._THIRD_DIMENSION]; at least 1 */
    uint64_t array_pitch; /* bytes between layers */
    uint32_t layer;       /* first layer [raw ..._LAYER OFFSET] */
    bool pitch_linear;
    bool volume; /* the third dimension is depth: layers are slices of blocks */
    uint8_t block_height_log2, block_depth_log2;
    bool turing_gob; /* order of sectors in a GOB: see texture/layout.h */
};

struct et_rectangle {
    int32_t x0, y0, x1, y1;
};

struct et_viewport {
    float scale[3], offset[3];
    struct et_rectangle clip; /* SET_VIEWPORT_CLIP_HORIZONTAL/VERTICAL: x0 = X0, x1 = X0 + WIDTH */
    float min_z, max_z;
    uint8_t swizzle[4];               /* x y z w [raw SET_VIEWPORT_COORDINATE_SWIZZLE] */
    uint8_t snap_bits_x, snap_bits_y; /* [raw SET_VIEWPORT_INCREASE_SNAP_GRID_PRECISION] */
};

struct et_scissor {
    bool enable;
    struct et_rectangle rectangle;
};

struct et_stencil_face {
    uint32_t fail, zfail, zpass; /* [raw SET_STENCIL_OP_*] */
    uint32_t function;           /* [raw SET_STENCIL_FUNC] */
    uint8_t reference, function_mask, write_mask;
};

struct et_depth_stencil {
    bool depth_test, depth_write;
    uint32_t depth_function; /* [raw SET_DEPTH_FUNC] */
    bool bounds_test;
    float bounds_min, bounds_max;
    bool stencil_test, two_sided;
    struct et_stencil_face front, back; /* back counts when two_sided */
    bool early;                         /* SET_API_MANDATED_EARLY_Z */
    bool post_z_imask;         /* SET_POST_Z_PS_IMASK: the shader sees coverage after the depth test */
    bool clamp_min, clamp_max; /* SET_VIEWPORT_CLIP_CONTROL PIXEL_MIN_Z, PIXEL_MAX_Z are CLAMP */
};

struct et_blend_target {
    bool enable;
    bool separate_alpha;                         /* else the colour fields serve alpha */
    uint32_t color_op, color_source, color_dest; /* [raw SET_BLEND_*_OP, _COEFF] */
    uint32_t alpha_op, alpha_source, alpha_dest;
    uint8_t write_mask; /* r 1, g 2, b 4, a 8 */
};

struct et_output_state {
    struct et_target color[ET_TARGETS];
    uint8_t color_count;              /* SET_CT_SELECT TARGET_COUNT */
    uint8_t color_select[ET_TARGETS]; /* output i of the shader goes to color[color_select[i]] */
    struct et_target depth;
    bool depth_enable; /* SET_ZT_SELECT count is 1 */
    struct et_blend_target
        blend[ET_TARGETS]; /* of color[i]; the engine has resolved per-target state and common state */
    float blend_constant[4];
    bool logic_op;
    uint32_t logic_function; /* [raw SET_LOGIC_OP_FUNC] */
    bool srgb_write;         /* SET_SRGB_WRITE; false: sRGB formats are written as linear */
    bool alpha_test;
    uint32_t alpha_function; /* [raw SET_ALPHA_FUNC] */
    float alpha_reference;
    bool zero_times_anything; /* SET_BLEND_FLOAT_OPTION */
    uint32_t saturate;        /* [raw SET_PS_SATURATE] */
};

struct et_sample_state {
    uint32_t mode; /* [raw SET_ANTI_ALIAS SAMPLES] */
    bool enable;   /* SET_ANTI_ALIAS_ENABLE */
    uint8_t
        location[16]; /* x 3:0, y 7:4 in 1/16 pixel [raw SET_ANTI_ALIAS_SAMPLE_POSITIONS, low byte first] */
    uint16_t mask[4]; /* SET_SAMPLE_MASK_X0_Y0, X1_Y0, X0_Y1, X1_Y1 */
    bool alpha_to_coverage, alpha_to_one;
    bool alpha_to_coverage_dither; /* SET_ALPHA_TO_COVERAGE_DITHER_CONTROL is PIXELS_2X2 (the default) */
    uint8_t passes;                /* SET_HYBRID_ANTI_ALIAS_CONTROL PASSES: shader runs a pixel; 0 is 1 */
    bool centroid_per_pass;        /* ... CENTROID */
    uint32_t raster_mode;          /* [raw SET_ANTI_ALIAS_RASTER]; counts when target_independent */
    bool target_independent;       /* SET_TIR MODE is RASTER_N_TARGET_M */
    bool mask_output;              /* a program's sample mask counts: SET_PS_OUTPUT_SAMPLE_MASK_USAGE */
};

/* Pixels a fragment: the rate's number is looked up by table, which a primitive picks, and by index, which
 * the place picks. */
struct et_shading_rates {
    bool enable[16];        /* SET_VARIABLE_PIXEL_RATE_SHADING_CONTROL, by table */
    uint8_t rate[16][16];   /* [raw SET_VARIABLE_PIXEL_RATE_SHADING_INDEX_TO_RATE], by table and index */
    uint8_t source;         /* [raw SET_VARIABLE_PIXEL_RATE_SHADING_TABLE_SELECT SOURCE] */
    uint8_t constant;       /* ... SOURCE_CONSTANT_VALUE */
    struct et_target index; /* a byte a square of 16x16 pixels; address 0: index 0 everywhere */
    uint32_t index_width;   /* of it; index.width is what its rows take */
    uint32_t
        sample_order[13]; /* [raw SET_VARIABLE_PIXEL_RATE_SAMPLE_ORDER]; all 0: pixels rows first [INF] */
};

struct et_raster_state {
    bool enable; /* SET_RASTER_ENABLE */
    struct et_viewport viewport[ET_VIEWPORTS];
    bool viewport_transform;  /* SET_VIEWPORT_SCALE_OFFSET */
    bool pixel_at_integer;    /* SET_VIEWPORT_PIXEL is 1 */
    bool clip_zero_to_one;    /* near plane at z = 0 rather than -w: SET_VIEWPORT_Z_CLIP is 1 */
    uint32_t clip_control;    /* [raw SET_VIEWPORT_CLIP_CONTROL] */
    uint8_t user_clip_enable; /* planes 0..7 */
    uint8_t user_clip_cull;   /* bit i: plane i culls instead of clipping (SET_USER_CLIP_OP) */
    struct et_scissor scissor[ET_VIEWPORTS];
    struct et_rectangle surface_clip;
    bool window_clip_enable;
    uint32_t window_clip_type; /* [raw SET_WINDOW_CLIP_TYPE] */
    struct et_rectangle window_clip[ET_WINDOW_CLIPS];
    int32_t window_offset_x, window_offset_y;
    bool cull_enable;
    uint32_t cull_face, front_face; /* [raw OGL_SET_CULL_FACE, OGL_SET_FRONT_FACE] */
    bool origin_lower_left;         /* SET_WINDOW_ORIGIN bit 0 */
    bool flip_y;                    /* SET_WINDOW_ORIGIN bit 4: winding by the area with y up */
    uint32_t front_mode, back_mode; /* [raw SET_*_POLYGON_MODE] */
    bool edges_hidden;              /* SET_EDGE_FLAG is false: polygons' edges in line and point mode */
    bool provoking_last;            /* SET_PROVOKING_VERTEX */
    bool flat_shade;                /* SET_SHADE_MODE is flat */
    bool color_clamp;               /* SET_COLOR_CLAMP */
    bool two_sided_light;           /* back colours replace front colours on back faces */
    bool bias_point, bias_line, bias_fill; /* SET_POLY_OFFSET_* */
    bool bias_format_dependent;            /* SET_DEPTH_BIAS_CONTROL */
    float bias_constant;                   /* as written */
    float bias_slope, bias_clamp;
    float line_width, aliased_line_width;
    bool aliased_line_width_enable; /* SET_ALIASED_LINE_WIDTH_ENABLE */
    bool line_antialiased;          /* SET_ANTI_ALIASED_LINE */
    bool line_stipple;
    uint8_t line_stipple_factor;
    uint16_t line_stipple_pattern;
    bool line_multisample_override; /* SET_LINE_MULTISAMPLE_OVERRIDE */
    float point_size;
    bool point_size_attribute;    /* SET_ATTRIBUTE_POINT_SIZE ENABLE */
    bool point_sprite;            /* SET_POINT_SPRITE */
    uint32_t point_sprite_select; /* [raw SET_POINT_SPRITE_SELECT] */
    bool point_antialiased;
    bool polygon_smooth;
    bool polygon_stipple;
    uint32_t polygon_stipple_pattern[32];
    bool conservative; /* SET_CONSERVATIVE_RASTER */
    uint32_t
        conservative_control;   /* [raw SET_CONSERVATIVE_RASTER_CONTROL]; BLOAT_PRI, MODE_PRI are resolved */
    uint32_t fill_via_triangle; /* [raw SET_FILL_VIA_TRIANGLE] */
    bool layer_from_shader;     /* SET_RT_LAYER CONTROL is GEOMETRY_SHADER_SELECTS_LAYER */
    uint16_t layer;             /* SET_RT_LAYER V */
    struct et_shading_rates rates;
    bool layer_by_viewport; /* SET_OFFSET_RENDER_TARGET_INDEX: the viewport's number is added */
    struct et_sample_state sample;
    struct et_depth_stencil depth_stencil;
    struct et_output_state output;
};

/* One rectangle clear of one colour target, or of depth and stencil, or both. */
struct et_clear {
    const struct et_pagemap *map;
    uint64_t event;
    uint32_t surface;       /* [raw CLEAR_SURFACE]; MRT_SELECT is already resolved into `color` */
    struct et_target color; /* format 0: disabled */
    struct et_target depth;
    bool depth_enable;       /* a depth target is bound */
    uint32_t color_value[4]; /* [raw SET_COLOR_CLEAR_VALUE] */
    float depth_value;
    uint8_t stencil_value;
    uint8_t stencil_mask; /* bits written; 0xff unless RESPECT_STENCIL_MASK */
    uint32_t sample_mode; /* [raw SET_ANTI_ALIAS SAMPLES] */
    bool srgb_write;
    struct et_rectangle
        rectangle; /* surface clip, and those of clear rectangle, scissor 0, viewport clip 0 in use */
};

#endif
