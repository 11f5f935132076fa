/* Images: loads, stores and atomics through a texture header, the lowest level of its view. */
#include "texture/plan.h"

#include "base/bits.h"
#include "texture/encode.h"

struct image {
    struct et_texels texels;
    const struct et_tex_plan *plan;
    const struct et_image_instruction *instruction;
    uint32_t (*coord)[ET_LANES];
    uint32_t (*data)[ET_LANES];
    uint32_t resident;
};

/* What a coordinate counts along x: texels, or bytes for raw access. */
static uint32_t unit_bytes(const struct image *image)
{
    return image->instruction->formatted ? 1 : image->plan->texture.format.format->block_bytes;
}

/* How many of those an access covers. */
static uint32_t access_bytes(const struct et_image_instruction *instruction)
{
    if (instruction->formatted)
        return 1;
    return instruction->op != ET_IMAGE_ATOMIC ? instruction->bytes : instruction->atomic_64 ? 8 : 4;
}

static void fail(struct image *image, enum etalon_status status)
{
    if (image->texels.status == ETALON_OK)
        image->texels.status = status;
}

/* The address of a lane's texel, plus its byte for raw access; false when it is dropped. */
static bool place(struct image *image, unsigned lane, uint64_t *address)
{
    const struct et_image_instruction *instruction = image->instruction;
    const struct et_texture *texture = &image->plan->texture;
    const unsigned level = texture->first_level;
    const struct et_texture_level *in = &texture->level[level];
    const uint32_t bytes = unit_bytes(image), access = access_bytes(instruction);
    const bool array = instruction->dim == ET_IMAGE_1D_ARRAY || instruction->dim == ET_IMAGE_2D_ARRAY;
    const bool plane = instruction->dim >= ET_IMAGE_2D;
    /* Sizes in what coordinates count: multisampled images have samples in place of texels. */
    const uint64_t width = (uint64_t)in->width * bytes;
    const uint32_t size[3] = {(uint32_t)ET_MIN(width, UINT32_MAX), in->height,
                              instruction->dim == ET_IMAGE_3D ? in->depth : texture->layers};
    uint32_t at[3] = {image->coord[0][lane], plane ? image->coord[1][lane] : 0, 0};
    if (instruction->dim == ET_IMAGE_3D || instruction->dim == ET_IMAGE_2D_ARRAY)
        at[2] = image->coord[2][lane];
    else if (instruction->dim == ET_IMAGE_1D_ARRAY)
        at[2] = image->coord[1][lane];
    for (unsigned d = 0; d < 3; d++) {
        const uint32_t span = d ? 1 : access;
        if (at[d] < size[d] && span <= size[d] - at[d])
            continue;
        if (instruction->clamp == ET_IMAGE_TRAP) {
            fail(image, et_fail(image->texels.error, ETALON_TRAP, "image coordinate %u is %d, the size %u", d,
                                (int32_t)at[d], size[d]));
            et_at_lane(image->texels.error, lane);
            return false;
        }
        if (instruction->clamp != ET_IMAGE_NEAR || size[d] < span)
            return false;
        at[d] = (int32_t)at[d] < 0 ? 0 : size[d] - span;
    }
    const uint32_t layer = array ? at[2] : 0, z = instruction->dim == ET_IMAGE_3D ? at[2] : 0;
    if (instruction->formatted) {
        *address = et_texels_address(texture, level, layer, at[0], at[1], z);
        return true;
    }
    const uint32_t texel = at[0] / bytes;
    *address = et_texels_address(texture, level, layer, texel, at[1], z);
    if (texture->type == ET_TEXTURE_BUFFER || in->layout.pitch_linear)
        *address += at[0] % bytes;
    else /* byte order within a row of the level */
        *address = texture->address + layer * texture->layer_stride + in->offset +
                   et_layout_offset(&in->layout, at[0], at[1], z);
    return true;
}

/* Sparse memory drops stores and reads zero. */
static bool is_sparse(struct image *image, uint64_t address, unsigned lane)
{
    const struct et_extent *extent = et_view_extent(image->texels.unit->view, address);
    if (!extent || extent->host)
        return false;
    image->resident &= ~(1u << lane);
    return true;
}

static void load(struct image *image, unsigned lane, uint64_t address)
{
    const struct et_tex_plan *plan = image->plan;
    const struct et_image_instruction *instruction = image->instruction;
    const unsigned bytes =
        instruction->formatted ? plan->texture.format.format->block_bytes : instruction->bytes;
    uint8_t memory[16] = {0};
    uint32_t values[4] = {0};
    if (!is_sparse(image, address, lane))
        fail(image, et_view_read(image->texels.unit->view, address, memory, bytes, image->texels.error));
    if (instruction->formatted) {
        struct et_texel texel;
        plan->read(&plan->texture.format, memory, 0, &texel);
        et_plan_values(plan, &texel, values);
    } else {
        memcpy(values, memory, bytes);
        if (bytes < 4 && instruction->sign_extend)
            values[0] = (uint32_t)et_sign_extend(values[0], 8 * bytes);
    }
    for (unsigned c = 0; c < 4; c++)
        if (instruction->formatted ? instruction->components >> c & 1 : c < ET_MAX(bytes / 4, 1))
            image->data[c][lane] = values[c];
}

static void store(struct image *image, unsigned lane, uint64_t address)
{
    const struct et_tex_plan *plan = image->plan;
    const struct et_image_instruction *instruction = image->instruction;
    const unsigned bytes =
        instruction->formatted ? plan->texture.format.format->block_bytes : instruction->bytes;
    uint32_t values[4] = {0};
    uint8_t memory[16];
    if (instruction->formatted) { /* a component comes from the slot that would show it */
        for (unsigned slot = 4; slot-- > 0;)
            if (plan->slot[slot].klass != ET_CLASS_NONE)
                values[plan->slot[slot].component] =
                    instruction->components >> slot & 1 ? image->data[slot][lane] : 0;
        if (!et_texel_write(&plan->texture.format, values, memory)) {
            fail(image, et_fail(image->texels.error, ETALON_UNSUPPORTED, "image store to format %s",
                                plan->texture.format.format->name));
            return;
        }
    } else {
        for (unsigned c = 0; c < 4; c++)
            values[c] = image->data[c][lane];
        memcpy(memory, values, bytes);
    }
    if (!is_sparse(image, address, lane))
        fail(image, et_view_write(image->texels.unit->view, address, memory, bytes, image->texels.error));
}

/* The new value of an atomic; values of 32 bits are extended to 64 by their sign. */
static uint64_t combine(enum et_atomic atomic, bool is_signed, uint64_t old, uint64_t value, uint64_t swap)
{
    switch (atomic) {
    case ET_ATOMIC_ADD:
        return old + value;
    case ET_ATOMIC_MIN:
        return is_signed ? (uint64_t)ET_MIN((int64_t)old, (int64_t)value) : ET_MIN(old, value);
    case ET_ATOMIC_MAX:
        return is_signed ? (uint64_t)ET_MAX((int64_t)old, (int64_t)value) : ET_MAX(old, value);
    case ET_ATOMIC_INC:
        return old >= value ? 0 : old + 1;
    case ET_ATOMIC_DEC:
        return old == 0 || old > value ? value : old - 1;
    case ET_ATOMIC_AND:
        return old & value;
    case ET_ATOMIC_OR:
        return old | value;
    case ET_ATOMIC_XOR:
        return old ^ value;
    case ET_ATOMIC_EXCHANGE:
        return value;
    default: /* compare and swap */
        return old == value ? swap : old;
    }
}

static uint64_t extend(uint32_t value, bool is_signed)
{
    return is_signed ? (uint64_t)(int64_t)(int32_t)value : value;
}

static void atomic(struct image *image, unsigned lane, uint64_t address)
{
    const struct et_image_instruction *instruction = image->instruction;
    const bool wide = instruction->atomic_64;
    const bool is_signed = instruction->atomic_by_format ? image->plan->texture.format.type[0] == ET_TYPE_SINT
                                                         : instruction->atomic_signed;
    const enum et_atomic operation = (enum et_atomic)instruction->atomic;
    const unsigned bytes = wide ? 8 : 4;
    uint64_t value, swap, old64 = 0;
    uint8_t *pointer;
    if (is_sparse(image, address, lane)) {
        image->data[0][lane] = image->data[1][lane] = 0;
        return;
    }
    if (address % bytes) {
        fail(image, et_fail(image->texels.error, ETALON_MISALIGNED, "image atomic of %u bytes", bytes));
        et_at_address(image->texels.error, address);
        return;
    }
    pointer = et_view_writable(image->texels.unit->view, address, bytes);
    if (!pointer) { /* names the cause */
        uint64_t word = 0;
        enum etalon_status status =
            et_view_read(image->texels.unit->view, address, &word, bytes, image->texels.error);
        if (status == ETALON_OK)
            status = et_view_write(image->texels.unit->view, address, &word, bytes, image->texels.error);
        fail(image, status ? status : ETALON_READ_ONLY);
        return;
    }
    if (wide) {
        value = image->data[0][lane] | (uint64_t)image->data[1][lane] << 32;
        swap = image->data[2][lane] | (uint64_t)image->data[3][lane] << 32;
        uint64_t *word = (uint64_t *)(void *)pointer, next;
        old64 = __atomic_load_n(word, __ATOMIC_RELAXED);
        do
            next = combine(operation, is_signed, old64, value, swap);
        while (!__atomic_compare_exchange_n(word, &old64, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        image->data[1][lane] = (uint32_t)(old64 >> 32);
    } else {
        uint32_t *word = (uint32_t *)(void *)pointer, old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
        value = extend(image->data[0][lane], is_signed);
        swap = extend(image->data[1][lane], is_signed);
        do
            next = (uint32_t)combine(operation, is_signed, extend(old, is_signed), value, swap);
        while (!__atomic_compare_exchange_n(word, &old, next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
        old64 = old;
    }
    image->data[0][lane] = (uint32_t)old64;
}

static void zero_lane(struct image *image, unsigned lane)
{
    if (image->instruction->op != ET_IMAGE_STORE)
        for (unsigned c = 0; c < (image->instruction->op == ET_IMAGE_ATOMIC ? 2 : 4); c++)
            image->data[c][lane] = 0;
}

enum etalon_status et_image_execute(struct et_tex_unit *unit, const struct et_tex_pools *pools,
                                    uint32_t header, const struct et_image_instruction *instruction,
                                    uint32_t coord[3][ET_LANES], uint32_t mask, uint32_t data[4][ET_LANES],
                                    uint32_t *resident, struct etalon_error *error)
{
    static void (*const operations[])(struct image *, unsigned, uint64_t) = {
        [ET_IMAGE_LOAD] = load, [ET_IMAGE_STORE] = store, [ET_IMAGE_ATOMIC] = atomic};
    struct image image = {.instruction = instruction, .coord = coord, .data = data, .resident = mask};
    enum etalon_status status = ETALON_OK;
    if (resident)
        *resident = mask;
    if (instruction->op >= ET_COUNT(operations) || instruction->dim > ET_IMAGE_3D ||
        (!instruction->formatted && instruction->op != ET_IMAGE_ATOMIC &&
         (instruction->bytes > 16 || !instruction->bytes || instruction->bytes & (instruction->bytes - 1))))
        return et_fail(error, ETALON_INVALID, "image operation %u, dimension %u, %u bytes", instruction->op,
                       instruction->dim, instruction->bytes);
    image.plan = et_plan_find(unit, pools, header, UINT32_MAX, false, &status, error);
    if (status == ETALON_OK && image.plan && image.plan->texture.format.format->block_width > 1)
        status =
            et_fail(error, ETALON_UNSUPPORTED, "image of format %s", image.plan->texture.format.format->name);
    if (status)
        et_at_value(error, header);
    if (image.plan)
        et_texels_start(&image.texels, unit, image.plan, error);
    for (; mask; mask &= mask - 1) {
        const unsigned lane = (unsigned)__builtin_ctz(mask);
        uint64_t address;
        if (status == ETALON_OK && image.plan && place(&image, lane, &address))
            operations[instruction->op](&image, lane, address);
        else
            zero_lane(&image, lane);
    }
    if (resident)
        *resident = image.resident;
    return status ? status : image.texels.status;
}
