/* Commands that draw, move or load: the state and data they stand on, resolved and handed out. */
#include "ge/ge.h"

#include "base/alloc.h"

static void note_unmapped(struct etalon_ge *ge, struct etalon_ge_snapshot *snapshot, uint32_t address,
                          const char *text)
{
    snapshot->status = ETALON_UNMAPPED;
    et_ge_note(ge, ETALON_UNMAPPED, address, snapshot->command, text);
}

/* NULL when the bytes are not in one region. */
static void *host_of(const struct etalon_ge *ge, uint32_t address, uint64_t bytes)
{
    return bytes > UINT32_MAX ? NULL : etalon_ge_map(ge, address, (uint32_t)bytes);
}

/* The lowest and highest index of a draw. */
static void index_range(struct etalon_ge_snapshot *snapshot)
{
    const uint8_t *indices = snapshot->indices;
    snapshot->lowest = UINT32_MAX;
    snapshot->highest = 0;
    for (uint32_t i = 0; i < snapshot->count; i++) {
        uint32_t index;
        uint16_t half;
        switch (snapshot->layout.index_size) {
        case 1:
            index = indices[i];
            break;
        case 2:
            memcpy(&half, indices + 2 * (size_t)i, sizeof half);
            index = half;
            break;
        default:
            index = et_load32(indices + 4 * (size_t)i);
            break;
        }
        snapshot->lowest = ET_MIN(snapshot->lowest, index);
        snapshot->highest = ET_MAX(snapshot->highest, index);
    }
}

static void resolve_vertices(struct etalon_ge *ge, struct etalon_ge_snapshot *snapshot)
{
    uint64_t first, bytes;
    snapshot->vertex_address = ge->vertex;
    snapshot->index_address = ge->index;
    snapshot->lowest = 1;
    if (!snapshot->count)
        return;
    if (snapshot->layout.index_size) {
        snapshot->indices = host_of(ge, ge->index, (uint64_t)snapshot->count * snapshot->layout.index_size);
        if (!snapshot->indices) {
            note_unmapped(ge, snapshot, ge->index, "indices in unmapped memory");
            return;
        }
        index_range(snapshot);
    } else {
        snapshot->lowest = 0;
        snapshot->highest = snapshot->count - 1;
    }
    first = (ge->vertex & ET_GE_ADDRESS_MASK) + (uint64_t)snapshot->lowest * snapshot->layout.stride;
    bytes = ((uint64_t)snapshot->highest - snapshot->lowest + 1) * snapshot->layout.stride;
    snapshot->vertices = first > ET_GE_ADDRESS_MASK ? NULL : host_of(ge, (uint32_t)first, bytes);
    if (!snapshot->vertices)
        note_unmapped(ge, snapshot, ge->vertex, "vertices in unmapped memory");
}

/* Behind a draw: of an indexed one the index address moves on, else the vertex address [DRV]. */
static void move_on(struct etalon_ge *ge, const struct etalon_ge_snapshot *snapshot)
{
    if (snapshot->layout.index_size)
        ge->index += snapshot->count * snapshot->layout.index_size;
    else
        ge->vertex += snapshot->count * snapshot->layout.stride;
}

static uint64_t rectangle_bytes(const struct etalon_ge_snapshot *snapshot,
                                const struct etalon_ge_rectangle *rectangle)
{
    return ((uint64_t)(snapshot->height - 1) * rectangle->stride + snapshot->width) *
           snapshot->bytes_per_pixel;
}

/* Address, stride and position fields of one side of a block transfer [DRV]. */
static void resolve_rectangle(struct etalon_ge *ge, struct etalon_ge_snapshot *snapshot,
                              struct etalon_ge_rectangle *rectangle, uint32_t address, uint32_t width,
                              uint32_t position)
{
    uint64_t first;
    rectangle->address = (address & UINT32_C(0xfffff0)) | (width << 8 & UINT32_C(0xff000000));
    rectangle->stride = width & 0x7f8;
    rectangle->x = et_bits(position, 9, 0);
    rectangle->y = et_bits(position, 19, 10);
    first = (rectangle->address & ET_GE_ADDRESS_MASK) +
            ((uint64_t)rectangle->y * rectangle->stride + rectangle->x) * snapshot->bytes_per_pixel;
    if (first <= ET_GE_ADDRESS_MASK)
        rectangle->host = host_of(ge, (uint32_t)first, rectangle_bytes(snapshot, rectangle));
    if (!rectangle->host)
        note_unmapped(ge, snapshot, rectangle->address, "block transfer in unmapped memory");
}

static void resolve_transfer(struct etalon_ge *ge, struct etalon_ge_snapshot *snapshot)
{
    const uint32_t *commands = ge->commands;
    snapshot->width = et_bits(commands[ET_GE_TRANSFER_SIZE], 9, 0) + 1;
    snapshot->height = et_bits(commands[ET_GE_TRANSFER_SIZE], 19, 10) + 1;
    snapshot->bytes_per_pixel = snapshot->command & 1 ? 4 : 2;
    resolve_rectangle(ge, snapshot, &snapshot->source, commands[ET_GE_TRANSFER_SOURCE],
                      commands[ET_GE_TRANSFER_SOURCE_WIDTH], commands[ET_GE_TRANSFER_SOURCE_POSITION]);
    resolve_rectangle(ge, snapshot, &snapshot->destination, commands[ET_GE_TRANSFER_DESTINATION],
                      commands[ET_GE_TRANSFER_DESTINATION_WIDTH],
                      commands[ET_GE_TRANSFER_DESTINATION_POSITION]);
}

static void resolve_clut(struct etalon_ge *ge, struct etalon_ge_snapshot *snapshot)
{
    snapshot->clut_address = (ge->commands[ET_GE_CLUT_ADDRESS] & UINT32_C(0xfffff0)) |
                             (ge->commands[ET_GE_CLUT_UPPER] << 8 & UINT32_C(0x0f000000));
    snapshot->clut_bytes = et_bits(snapshot->command, 5, 0) * 32;
    snapshot->clut = host_of(ge, snapshot->clut_address, snapshot->clut_bytes);
    if (!snapshot->clut)
        note_unmapped(ge, snapshot, snapshot->clut_address, "colour table in unmapped memory");
}

static void fill(struct etalon_ge *ge, struct etalon_ge_snapshot *snapshot)
{
    const uint32_t command = snapshot->command;
    etalon_ge_vertex_layout(ge->commands[ET_GE_VERTEX_TYPE], &snapshot->layout);
    switch (command >> 24) {
    case ET_GE_PRIM:
        snapshot->kind = ETALON_GE_PRIM;
        snapshot->primitive = et_bits(command, 18, 16);
        snapshot->count = et_bits(command, 15, 0);
        break;
    case ET_GE_BEZIER:
    case ET_GE_SPLINE:
        snapshot->kind = command >> 24 == ET_GE_BEZIER ? ETALON_GE_BEZIER : ETALON_GE_SPLINE;
        snapshot->u_count = et_bits(command, 7, 0);
        snapshot->v_count = et_bits(command, 15, 8);
        snapshot->u_type = snapshot->kind == ETALON_GE_SPLINE ? et_bits(command, 17, 16) : 0;
        snapshot->v_type = snapshot->kind == ETALON_GE_SPLINE ? et_bits(command, 19, 18) : 0;
        snapshot->count = snapshot->u_count * snapshot->v_count;
        break;
    case ET_GE_BOUNDING_BOX:
        snapshot->kind = ETALON_GE_BOUNDING_BOX;
        snapshot->count = et_bits(command, 15, 0);
        break;
    case ET_GE_TRANSFER_START:
        snapshot->kind = ETALON_GE_TRANSFER;
        if (ge->hooks.snapshot)
            resolve_transfer(ge, snapshot);
        return;
    default:
        snapshot->kind = ETALON_GE_CLUT_LOAD;
        if (ge->hooks.snapshot)
            resolve_clut(ge, snapshot);
        return;
    }
    /* Without anybody to look, draws only move the addresses on. */
    if (ge->hooks.snapshot || snapshot->kind == ETALON_GE_BOUNDING_BOX) {
        ge->surcharge += snapshot->count;
        resolve_vertices(ge, snapshot);
    }
}

void et_ge_hand_out(struct etalon_ge *ge, uint32_t address, uint32_t command)
{
    const uint32_t opcode = command >> 24;
    const bool draw = opcode != ET_GE_TRANSFER_START && opcode != ET_GE_LOAD_CLUT;
    struct etalon_ge_snapshot snapshot = {0};
    snapshot.number = ++ge->snapshots;
    snapshot.list = ge->first == ET_GE_NO_SLOT ? 0 : et_ge_id(ge->first);
    snapshot.address = address;
    snapshot.command = command;
    snapshot.commands = ge->commands;
    snapshot.matrices = &ge->matrices;
    fill(ge, &snapshot);
    if (draw)
        move_on(ge, &snapshot);
    if (opcode == ET_GE_BOUNDING_BOX) { /* R120: a box of no points is outside, whoever tests */
        const bool inside =
            snapshot.count && (ge->hooks.bounding_box ? ge->hooks.bounding_box(ge->hooks.user, &snapshot)
                                                      : etalon_ge_box_inside(&snapshot));
        ge->flags = (ge->flags & ~(uint32_t)ET_GE_INSIDE) | (inside ? ET_GE_INSIDE : 0);
    }
    if (ge->hooks.snapshot)
        ge->hooks.snapshot(ge->hooks.user, &snapshot);
}

/* ---- Pinning ---- */

/* A block that a pinned snapshot owns: registers and matrices, then data. */
struct pinned {
    struct etalon_ge_snapshot snapshot;
    uint32_t commands[256];
    struct etalon_ge_matrices matrices;
};

struct part {
    const void *from;
    size_t bytes;
};

static size_t parts_of(const struct etalon_ge_snapshot *snapshot, struct part parts[4])
{
    const uint64_t vertices = (uint64_t)snapshot->highest - snapshot->lowest + 1;
    size_t total = 0;
    parts[0].from = snapshot->vertices;
    parts[0].bytes = snapshot->vertices ? (size_t)vertices * snapshot->layout.stride : 0;
    parts[1].from = snapshot->indices;
    parts[1].bytes = snapshot->indices ? (size_t)snapshot->count * snapshot->layout.index_size : 0;
    parts[2].from = snapshot->source.host;
    parts[2].bytes = snapshot->source.host ? (size_t)rectangle_bytes(snapshot, &snapshot->source) : 0;
    parts[3].from = snapshot->clut;
    parts[3].bytes = snapshot->clut ? snapshot->clut_bytes : 0;
    for (int i = 0; i < 4; i++)
        total += (size_t)et_align_up(parts[i].bytes, 16);
    return total;
}

struct etalon_ge_snapshot *etalon_ge_snapshot_pin(const struct etalon_ge_snapshot *snapshot)
{
    struct part parts[4];
    const size_t head = (size_t)et_align_up(sizeof(struct pinned), 16);
    const size_t total = head + parts_of(snapshot, parts);
    uint8_t *block = et_calloc(total, 1), *at = block + head;
    struct pinned *pinned = (struct pinned *)(void *)block;
    if (!block)
        return NULL;
    pinned->snapshot = *snapshot;
    memcpy(pinned->commands, snapshot->commands, sizeof pinned->commands);
    pinned->matrices = *snapshot->matrices;
    pinned->snapshot.commands = pinned->commands;
    pinned->snapshot.matrices = &pinned->matrices;
    for (int i = 0; i < 4; i++) {
        if (parts[i].from) {
            memcpy(at, parts[i].from, parts[i].bytes);
            parts[i].from = at;
        }
        at += et_align_up(parts[i].bytes, 16);
    }
    pinned->snapshot.vertices = parts[0].from;
    pinned->snapshot.indices = parts[1].from;
    pinned->snapshot.source.host = (void *)(uintptr_t)parts[2].from;
    pinned->snapshot.destination.host = NULL;
    pinned->snapshot.clut = parts[3].from;
    return &pinned->snapshot;
}

void etalon_ge_snapshot_free(struct etalon_ge_snapshot *snapshot)
{
    et_free(snapshot);
}
