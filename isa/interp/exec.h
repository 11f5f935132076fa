/* The executable form of a program, and a warp's state: what handlers see. Internal to the interpreter. */
#ifndef ET_INTERP_EXEC_H
#define ET_INTERP_EXEC_H

#include "base/bits.h"
#include "isa/interp/columns.h"
#include "isa/interp/program.h"
#include "isa/ir/ir.h"

#include <stddef.h>

struct warp;
struct insn;
/* Executes one instruction; the next one to run, or NULL when the scheduler must look (w->stop says why). */
typedef const struct insn *op_fn(struct warp *w, const struct insn *i);

struct insn {
    op_fn *op;
    const struct et_ir *ir; /* modifiers that handlers look up; NULL for what linking inserts */
    uint16_t d, a, b, c, e; /* slots (32 lanes of 32 bits) of destination and sources in the warp's file */
    uint8_t guard, q0, q1, p0, p1, p2;
    uint8_t fn, cmp, bop;
    uint8_t mods;   /* bit s: source s negated; bit 4 + s: absolute (or, integers: complemented) */
    uint32_t flags; /* ET_F_* */
    uint32_t imm, imm2;
    uint32_t target;         /* index of an instruction */
    uint32_t uniform;        /* ~0: all lanes whatever is active; in a team's once: results go to all lanes */
    const struct insn *each; /* in a team's code: what et_op_team_each runs on every warp */
};

enum {
    MODE_NONE = 0xff
}; /* FP mode of a run of instructions: enum et_round | 8 when flushing; or none needed */

struct pool_entry {
    uint8_t kind, bank, mods; /* mods: ET_NEG, ET_ABS of a single */
    uint32_t value;           /* immediate, or byte offset */
};

/* Slots of a texture or image instruction's operands. */
enum { TEX_SLOTS = 26 };

struct tex_slots {
    union {
        struct {
            uint16_t handle, coord[3], layer, lod, min_lod, compare, sample, ddx[3], ddy[3], offset,
                offset4[2], data[4], out[4];
        };
        uint16_t slot[TEX_SLOTS]; /* all of them */
    };
    bool has_offset, has_offset4;
};

_Static_assert(offsetof(struct tex_slots, has_offset) == TEX_SLOTS * sizeof(uint16_t), "all are listed");

struct et_program {
    struct et_program_info info;
    enum et_isa_kind isa;
    const struct et_isa *decoder; /* NULL: made from IR */
    struct et_isa *own_decoder;   /* closed with the program */
    struct et_ir_program ir;
    struct insn *code;
    uint8_t *vector; /* while it is linked, one an instruction: enum alu_handler, or NO_VECTOR */
    size_t count;
    uint32_t *index; /* machine address / 8 -> instruction; UINT32_MAX: not translated */
    uint8_t *mode;   /* machine address / 8 -> FP mode that instructions there expect */
    size_t index_count;
    uint32_t entry;        /* instruction that a warp starts with */
    struct tex_slots *tex; /* one an entry of ir.tex */
    struct pool_entry *pool;
    size_t pool_count;
    uint32_t slots;                                  /* of a warp's file, the pool's included */
    uint32_t pool_slot;                              /* first slot of the pool */
    uint16_t zero, trash, temps, uniforms, barriers; /* first slots; zero holds 4 */
    uint16_t registers;
    uint16_t *clears; /* slots that a warp's start clears when the file has run this program: clear.c */
    uint32_t clear_count;
    uint32_t predicates; /* bits of those that it may write */
    uint16_t *varying;   /* entries of the pool that are constants of a bank */
    uint32_t varying_count;
    struct et_program *team; /* the form that teams run: team.c; NULL: none */
    struct insn *each;       /* of that form: what its code's `each` point to */
    struct insn
        *apart;       /* of that form: the code while not all lanes run (apart.c); NULL: they may not part */
    uint16_t *spread; /* of that form: slots that its exits spread over all lanes */
    uint64_t key;     /* of what it was made from: another program at this one's address has another */
    uint8_t *machine; /* a copy of the code, for error texts */
    size_t machine_bytes;
    bool indirect;
#if defined(ETALON_COVERAGE)
    uint8_t *covered; /* one an IR instruction: a lane has run it */
#endif
};

#if defined(ETALON_COVERAGE)
op_fn et_op_covered;
void et_program_note_covered(const struct et_program *program);
#endif

/* Why the instruction at `pc` could not be translated. */
void et_program_refusal(const struct et_program *program, uint64_t pc, struct etalon_error *error);

/* Where lanes go behind an instruction, in programs whose lanes may part within a team (flow.c). */
struct flow {
    enum {
        FLOW_OP,
        FLOW_NEXT,
        FLOW_JUMP
    } kind;          /* NEXT: nothing else happens; JUMP: lanes that it holds for go */
    uint32_t target; /* instruction */
};

enum stop {
    STOP_NONE,
    STOP_SLICE, /* the turn is over; w->next resumes */
    STOP_WAIT,  /* the group waits; look for another */
    STOP_EXIT,  /* the group's lanes have ended */
    STOP_APART, /* a team's warps would go different ways */
    STOP_ERROR
};

enum group_state { GROUP_READY, GROUP_BSYNC, GROUP_WARPSYNC, GROUP_BAR };

/* Lanes that run together. Maxwell has one; what waits is on its stack. */
struct group {
    uint32_t mask, wait; /* wait: WARPSYNC's mask */
    uint32_t borrowed;
    const struct insn *next;
    uint32_t depth; /* calls */
    uint8_t state, barrier;
};

enum { STACK_SYNC, STACK_BREAK, STACK_CONTINUE, STACK_RETURN, STACK_LONGJMP, STACK_DIVERGED };
struct stack_entry {
    uint8_t type;
    uint32_t mask, target;
};

/* A predicate that no program has: in a team's code while not all lanes run, those that do. */
enum { PRED_ACTIVE = 30 };

#define LOCAL_ALIGN 64

struct block;

struct warp {
    uint32_t *file;        /* registers, then the program's constants */
    uint32_t step;         /* words from one slot to the next: a team's lie side by side */
    uint32_t active, full; /* running lanes; lanes that the launch started */
    uint32_t live;         /* not exited */
    uint32_t killed;
    uint32_t borrowed; /* of active: run for their quad, but have their own way */
    uint32_t pred[ET_P_COUNT];
    int64_t slice;
    uint64_t count, lane_count;
    uint8_t mode;
    uint8_t stop;
    const struct insn *next;
    const struct et_program *program;
    uint64_t program_key;
    const struct et_launch *launch;
    struct etalon_error *error;
    struct et_context *context;

    struct group groups[ET_LANES];
    unsigned group_count, current;
    struct stack_entry *stack;
    size_t stack_count, stack_capacity;
    uint32_t call_depth;
    uint32_t barrier_target[16]; /* of Volta's B registers: the last BSSY's target */
    bool rest;                   /* the turn ends for the whole warp (NANOSLEEP) */

    uint8_t *local;
    uint64_t local_bytes;
    uint64_t local_low, local_high; /* touched, to be cleared */

    struct et_warp_io *io;
    /* Compute. */
    struct block *block;
    uint32_t index; /* of the warp in its block */
    uint32_t bar_value;
    bool bar_truth;
    uint32_t bar_arrived[16]; /* lanes that have come to each barrier */
    bool done;
};

/* A block's barrier: threads that have arrived, of `expected` (0: all that live), and what they brought. */
struct barrier {
    uint32_t arrived, expected;
    uint32_t popc;
    bool all, any, used;
    uint8_t fn;
};

/* A thread block in flight. */
struct block {
    const struct et_grid *grid;
    uint32_t id[3];
    uint64_t number;
    uint8_t *shared;
    uint32_t shared_bytes;
    struct warp *warps;
    unsigned warp_count;
    struct barrier barriers[16];
    unsigned done; /* warps */
};

/* Warps whose files are the first one's, side by side. */
struct team {
    struct warp warp[ET_TEAM];
    size_t slots;
};

/* A thread's execution context. */
struct et_context {
    struct warp warp; /* graphics: the one warp */
    size_t file_slots;
    struct team teams[2];           /* of fragments, of vertices */
    struct etalon_error team_error; /* not shown: who fails runs again alone */
    struct et_counts apart;         /* what ran while the team's lanes were apart */
    struct et_view view;
    struct et_tex_unit *unit;
    /* What a program left to the one that continues it: run.c. */
    uint32_t *kept, kept_pred[ET_P_COUNT];
    size_t kept_capacity;
    unsigned kept_registers;
};

/* ---- helpers of handlers */
static inline const uint32_t *source(const struct warp *w, unsigned slot)
{
    return w->file + slot * ET_LANES;
}

static inline uint32_t *file(struct warp *w, unsigned slot)
{
    return w->file + slot * ET_LANES;
}

static inline uint32_t predicate(const struct warp *w, unsigned p)
{
    return w->pred[p & 31] ^ (0u - (p >> 7));
}

/* Lanes that execute i. */
static inline uint32_t lanes_of(const struct warp *w, const struct insn *i)
{
    return (w->active | i->uniform) & predicate(w, i->guard);
}

static inline void set_predicate(struct warp *w, unsigned p, uint32_t mask, uint32_t bits)
{
    w->pred[p] = (w->pred[p] & ~mask) | (bits & mask);
}

#define FOR_LANES(lane, mask)                                                                                \
    for (uint32_t rest_ = (mask), lane; rest_ && (lane = (uint32_t)__builtin_ctz(rest_), 1);                 \
         rest_ &= rest_ - 1)

/* Straight-line handlers end in NEXT: a sibling call where the compiler makes one, else back to the loop. */
#if defined(__has_attribute)
#if __has_attribute(musttail)
#define ET_MUSTTAIL __attribute__((musttail))
#endif
#endif
#if defined(ET_MUSTTAIL)
#define GO(to)                                                                                               \
    do {                                                                                                     \
        const struct insn *next_ = (to);                                                                     \
        ET_MUSTTAIL return next_->op(w, next_);                                                              \
    } while (0)
#elif defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&            \
    !defined(ETALON_COVERAGE)
#define GO(to)                                                                                               \
    do {                                                                                                     \
        const struct insn *next_ = (to);                                                                     \
        return next_->op(w, next_);                                                                          \
    } while (0)
#else
#define GO(to) return (to)
#endif
#define NEXT GO(i + 1)

/* ---- levels */
enum level { LEVEL_GENERIC, LEVEL_V2, LEVEL_V3, LEVEL_V4, LEVEL_COUNT };
/* The level that runs here: the CPU's, lowered by ETALON_DISABLE. */
enum level et_interp_level(void);
extern const char *const et_interp_level_names[LEVEL_COUNT];

/* Vector handlers, one table a level (isa/interp/alu-*.c). */
#define ALU_HANDLERS(X)                                                                                      \
    X(mov)                                                                                                   \
    X(sel)                                                                                                   \
    X(fsel)                                                                                                  \
    X(iadd3)                                                                                                 \
    X(iadd3_plain)                                                                                           \
    X(iadd3_carry)                                                                                           \
    X(imad)                                                                                                  \
    X(imad_plain)                                                                                            \
    X(lop3)                                                                                                  \
    X(lop3_and) X(lop3_or) X(lop3_xor) X(shl) X(shr_u) X(shr_s) X(shf) X(lea) X(imnmx_u) X(imnmx_s)          \
        X(isetp_u) X(isetp_s) X(isetp_x) X(xmad) X(fadd) X(fadd_mods) X(fmul) X(fmul_mods) X(ffma)           \
            X(ffma_mods) X(fmnmx) X(fsetp) X(fsetp_mods) X(mufu) X(mufu_rcp) X(f2i_trunc) X(i2f) X(prmt)     \
                X(lop3_plain) X(lop3_xor3) X(lop3_pick) X(lop3_majority) X(lop3_or3) X(lop3_and_or)          \
                    X(shf_right) X(shf_left_high) X(plop3) X(imul_hi) X(imad_wide) X(imad_high) X(iabs)      \
                        X(prmt_index)

/* Loads and stores of the common shapes (isa/interp/memory.c), which fall back to the slow handlers. */
#define MEMORY_HANDLERS(X) X(ld_global) X(st_global) X(ld_shared) X(st_shared)

enum memory_handler {
#define MEMORY_ENUM(name) MEMORY_##name,
    MEMORY_HANDLERS(MEMORY_ENUM)
#undef MEMORY_ENUM
        MEMORY_COUNT
};
extern op_fn *const et_interp_memory_generic[MEMORY_COUNT];
extern op_fn *const et_interp_memory_v2[MEMORY_COUNT];
extern op_fn *const et_interp_memory_v3[MEMORY_COUNT];
extern op_fn *const et_interp_memory_v4[MEMORY_COUNT];

enum alu_handler {
#define ALU_ENUM(name) ALU_##name,
    ALU_HANDLERS(ALU_ENUM)
#undef ALU_ENUM
        ALU_COUNT,
    NO_VECTOR = 0xff
};
/* The same for teams: of all lanes, also with b, c or both constants; and of what is the same in all lanes
 * (once.c). NULL where there is none. */
enum team_form { TEAM_ALL, TEAM_KEEP_B, TEAM_KEEP_C, TEAM_KEEP_BC, TEAM_ONCE, TEAM_FORMS };
extern op_fn *const et_interp_team_generic[TEAM_FORMS][ALU_COUNT];
extern op_fn *const et_interp_team_v2[TEAM_FORMS][ALU_COUNT];
extern op_fn *const et_interp_team_v3[TEAM_FORMS][ALU_COUNT];
extern op_fn *const et_interp_team_v4[TEAM_FORMS][ALU_COUNT];
extern op_fn *const et_interp_alu_generic[ALU_COUNT];
extern op_fn *const et_interp_alu_v2[ALU_COUNT];
extern op_fn *const et_interp_alu_v3[ALU_COUNT];
extern op_fn *const et_interp_alu_v4[ALU_COUNT];

/* Handlers of everything else, by IR op (isa/interp/op-*.c); NULL where only vector handlers exist. */
op_fn *et_interp_slow_handler(enum et_ir_op op);
op_fn et_op_lead, et_op_mode, et_op_splat, et_op_end, et_op_bindless;

/* IPA in its common shape, once a level (isa/interp/interpolate.c); runs in nearest even with flush. */
extern op_fn *const et_interp_ipa_generic[2], *const et_interp_ipa_v2[2],
                                                  *const et_interp_ipa_v3[2],
                                                      *const et_interp_ipa_v4[2]; /* of a warp, of a team */

/* ALD and AST of whole warps in their common shape, and the gathering of columns (isa/interp/attribute.c). */
struct attribute_functions {
    op_fn *load, *store;
    et_gather_fn *gather;
};
extern const struct attribute_functions et_interp_attributes_generic, et_interp_attributes_v2,
    et_interp_attributes_v3, et_interp_attributes_v4;
const struct attribute_functions *et_interp_attributes(void);

/* Makes program->code of program->ir (link.c); `starts`: one an instruction of the machine, by ascending
 * address. */
struct machine_insn {
    uint64_t pc, next;     /* next: the address behind it */
    uint32_t first, count; /* IR instructions */
};
enum etalon_status et_program_link(struct et_program *program, const struct machine_insn *machine,
                                   size_t count, uint64_t entry, struct etalon_error *error);

/* Makes program->team where the program has such a form (team.c); false without memory. team, ipa: the
 * level's tables. */
bool et_program_make_team(struct et_program *program, op_fn *const (*team)[ALU_COUNT], op_fn *const *ipa);
/* Where the lanes of a program of vertices go, one an instruction; NULL where they may not part within a
 * team. False without memory. */
bool et_program_find_flow(const struct et_program *program, struct flow **flow);
/* Gives the team's code the forms that compute once what is the same in all lanes (once.c), while
 * program->vector is there; false without memory. flow: NULL, or lanes may part. */
bool et_program_plan_once(const struct et_program *program, struct et_program *team, op_fn *const *once,
                          const struct flow *flow);
op_fn et_op_team_jump_once;
/* Runs i->each on the warps of a team one after the other. */
op_fn et_op_team_each;
/* Ends a team's run: its warps are to run one by one. */
const struct insn *et_team_part(struct warp *w);
void et_team_mode(struct warp *w, uint8_t mode);
/* Lanes of all warps that a jump or an exit holds for: 0 none, 1 all, -1 some. */
int et_team_taken(const struct warp *w, const struct insn *i);
/* Spreads what an exit leaves that was computed once. */
void et_team_spread(struct warp *w, const struct insn *i);
/* Jumps and exits where lanes may part, and the code while they are apart (apart.c). */
op_fn et_op_team_branch, et_op_team_leave, et_op_apart_lead, et_op_apart_each, et_op_apart_jump,
    et_op_apart_exit;
void et_program_destroy_team(struct et_program *program);

/* Whether the op writes all of its destination in every running lane, reads no more than its operands, and
 * goes on to the next one with the same lanes (clear.c). */
bool et_op_is_plain(const struct et_ir *ir);

/* Before targets are linked: constants to their readers, moves that nobody reads away (fold.c); false without
 * memory. */
bool et_program_fold(struct et_program *program, op_fn *const *alu);
/* After: jumps that all lanes take go by imm, past imm2 other jumps, instead of target. */
void et_program_thread_jumps(struct et_program *program);

/* Plans program->clears (clear.c); false without memory. */
bool et_program_plan_clears(struct et_program *program);

/* The machine instruction at pc in NVIDIA's text; empty when there is none. */
void et_program_text(const struct et_program *program, uint64_t pc, char *text, size_t size);

/* ---- scheduling (schedule.c) */
const struct insn *et_warp_fail(struct warp *w, const struct insn *i, int lane, enum etalon_status status,
                                const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Runs until all lanes have ended, all wait for the block, or `slice` instructions have gone. */
enum run { RUN_DONE, RUN_BLOCKED, RUN_SLICE, RUN_FAILED };
enum run et_warp_run(struct warp *w, int64_t slice);
/* Prepares w (file and pool set) to run lanes from the program's entry. fresh: the file has not run it. */
enum etalon_status et_warp_start(struct warp *w, uint32_t lanes, bool fresh);
void et_warp_release(struct warp *w);
/* Wakes the warps whose barrier is complete (grid.c). */
void et_block_check(struct block *block);

/* ---- FP environment (fpmode.c) */
uint32_t et_fp_save(void);
void et_fp_restore(uint32_t saved);

#if defined(__x86_64__)
#include <immintrin.h>
/* MXCSR: exceptions masked, rounding at 13, DAZ 6, FTZ 15. */
static inline uint32_t mode_word(uint8_t mode)
{
    static const uint8_t rounding[] = {[ET_RN] = 0, [ET_RM] = 1, [ET_RP] = 2, [ET_RZ] = 3};
    return 0x1f80u | (uint32_t)rounding[mode & 3] << 13 | (mode & 8 ? 0x8040u : 0);
}

static inline void set_mode(struct warp *w, uint8_t mode)
{
    if (mode != w->mode) {
        w->mode = mode;
        _mm_setcsr(mode_word(mode));
    }
}
#else
static inline void set_mode(struct warp *w, uint8_t mode)
{
    w->mode = mode;
}
#endif

#endif
