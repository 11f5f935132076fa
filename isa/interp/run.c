/* Running warps and grids: contexts, constants, blocks in parallel. */
#include "isa/interp/exec.h"

#include "base/alloc.h"

#include <string.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

enum {
    WARP_TURN = 1 << 14,  /* instructions before the block's next warp */
    BLOCK_TURN = 1 << 22, /* before another block gets a chance */
    RESIDENT = 64         /* blocks in flight a thread, when they wait on one another */
};

/* ---- constants */
static uint32_t constant(const struct et_launch *launch, const struct pool_entry *entry)
{
    const unsigned number = entry->bank == 0xff ? (unsigned)launch->bindless_bank : entry->bank;
    const struct et_bank *bank = number < ET_BANKS ? &launch->banks[number] : NULL;
    uint32_t value = entry->value;
    if (entry->kind == ET_SRC_CONST) {
        value = 0;
        for (unsigned n = 0; n < 4; n++)
            if (bank && bank->data && entry->value + n < bank->size)
                value |= (uint32_t)bank->data[entry->value + n] << (8 * n);
    }
    if (entry->mods & ET_ABS)
        value &= 0x7fffffffu;
    return entry->mods & ET_NEG ? value ^ 0x80000000u : value;
}

/* Brings the pool behind a warp's (a team's) registers up to date: what changed is spread over the lanes. */
static void fill_pool(struct warp *w, bool all, unsigned lanes)
{
    const struct et_program *program = w->program;
    for (size_t n = 0; n < (all ? program->pool_count : program->varying_count); n++) {
        const size_t entry = all ? n : program->varying[n];
        uint32_t *slot = w->file + (program->pool_slot + entry) * lanes;
        const uint32_t value = constant(w->launch, &program->pool[entry]);
        if (all || slot[0] != value)
            for (unsigned l = 0; l < lanes; l++)
                slot[l] = value;
    }
}

/* Gives w a program; whether its file has not run it yet. */
static bool take_program(struct warp *w, const struct et_program *program)
{
    const bool fresh = w->program != program || w->program_key != program->key;
    w->program = program;
    w->program_key = program->key;
    return fresh;
}

/* A file for w's program; keeps one that is large enough. */
static enum etalon_status ready_file(struct warp *w, size_t slots, size_t *capacity,
                                     struct etalon_error *error)
{
    if (slots > *capacity) {
        et_free(w->file);
        *capacity = 0;
        w->file = et_aligned_calloc(64, slots, ET_LANES * sizeof *w->file);
        if (!w->file)
            return et_fail(error, ETALON_NO_MEMORY, "registers");
        *capacity = slots;
    }
    return ETALON_OK;
}

/* ---- one graphics warp */
struct et_context *et_context_create(struct etalon_error *error)
{
    struct et_context *context = et_calloc(1, sizeof *context);
    if (!context)
        et_fail(error, ETALON_NO_MEMORY, "context");
    return context;
}

static void context_finish(struct et_context *context)
{
    et_tex_unit_destroy(context->unit);
    et_free(context->kept);
    et_warp_release(&context->warp);
    for (unsigned n = 0; n < ET_COUNT(context->teams); n++)
        et_warp_release(&context->teams[n].warp[0]);
}

void et_context_destroy(struct et_context *context)
{
    if (!context)
        return;
    context_finish(context);
    et_free(context);
}

static void look_at(struct et_context *context, const struct et_launch *launch)
{
    if (context->view.map != launch->map || context->view.event != launch->event)
        et_view_init(&context->view, launch->map, launch->event);
}

static void add_counts(struct et_counts *counts, const struct warp *w)
{
    if (counts) {
        counts->instructions += w->count;
        counts->lane_instructions += w->lane_count;
    }
}

/* Keeps what the program that w has run leaves to the one that continues it. */
static bool keep_state(struct et_context *context)
{
    const struct warp *w = &context->warp;
    const size_t words = (size_t)w->program->registers * ET_LANES;
    if (!et_grow(&context->kept, &context->kept_capacity, words, sizeof *context->kept))
        return false;
    memcpy(context->kept, w->file, words * sizeof *context->kept);
    memcpy(context->kept_pred, w->pred, sizeof context->kept_pred);
    context->kept_registers = w->program->registers;
    return true;
}

static void restore_state(struct et_context *context)
{
    struct warp *w = &context->warp;
    const size_t registers = ET_MIN(context->kept_registers, w->program->registers);
    memcpy(w->file, context->kept, registers * ET_LANES * sizeof *context->kept);
    memcpy(w->pred, context->kept_pred, sizeof w->pred);
}

static enum etalon_status run_program(struct et_context *context, const struct et_launch *launch,
                                      bool continues, struct et_warp_io *io, struct et_counts *counts,
                                      struct etalon_error *error)
{
    struct warp *w = &context->warp;
    struct etalon_error own;
    const uint32_t fp = et_fp_save();
    const bool fresh = take_program(w, launch->program);
    enum run run;
    look_at(context, launch);
    w->launch = launch;
    if (!error)
        memset(&own, 0, sizeof own);
    w->error = error ? error : &own;
    w->context = context;
    w->io = io;
    w->block = NULL;
    w->index = 0;
    if (ready_file(w, w->program->slots, &context->file_slots, w->error) != ETALON_OK ||
        et_warp_start(w, io->lanes, fresh) != ETALON_OK) {
        w->program = NULL;
        return ETALON_NO_MEMORY;
    }
    fill_pool(w, fresh, ET_LANES);
    if (continues) {
        restore_state(context);
        w->program_key = ~w->program_key; /* in slots that this program never writes, too */
    }
    do
        run = et_warp_run(w, INT64_C(1) << 20);
    while (run == RUN_SLICE);
    et_fp_restore(fp);
    if (run == RUN_BLOCKED)
        et_warp_fail(w, NULL, -1, ETALON_DEADLOCK, "a warp waits for a block");
    add_counts(counts, w);
    io->registers = (const uint32_t(*)[ET_LANES])(const void *)w->file;
    io->register_step = 1;
    if (io->fragment)
        io->fragment->killed = w->killed & io->lanes;
    return run == RUN_DONE ? ETALON_OK : w->error->status;
}

enum etalon_status et_run_warp(struct et_context *context, const struct et_launch *launch,
                               struct et_warp_io *io, struct et_counts *counts, struct etalon_error *error)
{
    enum etalon_status status;
    if (!launch->before)
        return run_program(context, launch, false, io, counts, error);
    status = run_program(context, launch->before, false, io, counts, error);
    if (!status && !keep_state(context))
        status = et_fail(error, ETALON_NO_MEMORY, "registers");
    return status ? status : run_program(context, launch, true, io, counts, error);
}

/* ---- a team of graphics warps */
static void clear_team(struct warp *w, bool fresh)
{
    const struct et_program *program = w->program;
    const size_t bytes = ET_LANES * ET_TEAM * sizeof *w->file;
    if (fresh)
        memset(w->file, 0, program->pool_slot * bytes);
    for (uint32_t n = 0, next; n < program->clear_count && !fresh; n = next) {
        for (next = n + 1;
             next < program->clear_count && program->clears[next] == program->clears[next - 1] + 1;)
            next++;
        memset(w->file + (size_t)program->clears[n] * ET_LANES * ET_TEAM, 0, (next - n) * bytes);
    }
}

/* What a team's warps have in common with its last run, where the program and the launch are the same. */
static void bind_team(struct et_context *context, struct team *team, const struct et_launch *launch)
{
    for (unsigned n = 0; n < ET_TEAM; n++) {
        struct warp *w = &team->warp[n];
        w->file = team->warp[0].file + n * ET_LANES;
        w->step = ET_LANES * ET_TEAM;
        w->program = launch->program->team;
        w->launch = launch;
        w->error = &context->team_error;
        w->context = context;
        w->full = w->live = ~0u;
    }
}

static void start_member(struct warp *w, struct et_warp_io *io)
{
    w->io = io;
    w->active = ~0u;
    w->killed = 0;
    w->count = w->lane_count = 0;
    w->group_count = 0;
    w->mode = MODE_NONE;
    w->stop = STOP_NONE;
    memset(w->pred, 0, sizeof w->pred);
    w->pred[ET_P_T] = w->pred[ET_P_UT] = ~0u;
}

bool et_run_team(struct et_context *context, const struct et_launch *launch, struct et_warp_io io[ET_TEAM],
                 struct et_counts *counts)
{
    struct team *const team = &context->teams[launch->program->team->apart != NULL];
    struct warp *const w = team->warp;
    const struct insn *i;
    const uint32_t fp = et_fp_save();
    const bool fresh = take_program(w, launch->program->team);
    look_at(context, launch);
    if (ready_file(w, (size_t)w->program->slots * ET_TEAM, &team->slots, NULL) != ETALON_OK) {
        w->program = NULL;
        return false;
    }
    if (fresh || w->launch != launch)
        bind_team(context, team, launch);
    for (unsigned n = 0; n < ET_TEAM; n++)
        start_member(w + n, &io[n]);
    context->apart = (struct et_counts){0};
    clear_team(w, fresh);
    fill_pool(w, fresh, ET_LANES * ET_TEAM);
    i = w->program->code + w->program->entry;
    while (i)
        i = i->op(w, i);
    et_fp_restore(fp);
    if (w->stop != STOP_EXIT ||
        (launch->budget.instructions &&
         w->count + context->apart.instructions > launch->budget.instructions) ||
        (launch->cancelled && launch->cancelled(launch->cancel_context))) {
        w->launch = NULL; /* whatever it left is not to be kept */
        return false;
    }
    for (unsigned n = 0; n < ET_TEAM; n++) {
        io[n].registers = (const uint32_t(*)[ET_LANES])(const void *)w[n].file;
        io[n].register_step = ET_TEAM;
        if (io[n].fragment)
            io[n].fragment->killed = w[n].killed;
    }
    et_add_counts(counts, &context->apart);
    if (counts) {
        counts->instructions += w->count * ET_TEAM;
        counts->lane_instructions += w->count * (ET_TEAM * ET_LANES);
    }
    return true;
}

/* ---- grids */
struct grid_run {
    const struct et_launch *launch;
    const struct et_grid *grid;
    uint64_t blocks, next; /* next: block to start */
    unsigned warps;        /* a block */
    struct etalon_error *error;
    uint64_t failed_block; /* the lowest that failed; error is its */
};

/* A thread's share: a context, and blocks that it keeps for reuse. */
struct worker {
    struct et_context context;
    struct block *blocks[RESIDENT];
    size_t *slots[RESIDENT]; /* capacity of each warp's file */
    struct etalon_error errors[RESIDENT];
    unsigned count;
    struct et_counts counts;
};

static void block_free(struct block *block, size_t *slots)
{
    if (block) {
        for (unsigned n = 0; n < block->warp_count; n++)
            et_warp_release(&block->warps[n]);
        et_free(block->warps);
        et_free(block->shared);
        et_free(block);
    }
    et_free(slots);
}

static struct block *block_new(const struct grid_run *run, size_t **slots)
{
    struct block *block = et_calloc(1, sizeof *block);
    *slots = et_calloc(run->warps, sizeof **slots);
    if (block) {
        block->warps = et_calloc(run->warps, sizeof *block->warps);
        block->shared = et_aligned_calloc(64, run->grid->shared_bytes + 64u, 1);
        block->warp_count = run->warps;
    }
    if (!block || !block->warps || !block->shared || !*slots) {
        if (block && !block->warps)
            block->warp_count = 0;
        block_free(block, *slots);
        *slots = NULL;
        return NULL;
    }
    return block;
}

static enum etalon_status block_start(struct worker *worker, const struct grid_run *run, unsigned place,
                                      uint64_t number)
{
    struct block *block = worker->blocks[place];
    const uint32_t *size = run->grid->grid,
                   threads = run->grid->block[0] * run->grid->block[1] * run->grid->block[2];
    block->grid = run->grid;
    block->number = number;
    block->id[0] = (uint32_t)(number % size[0]);
    block->id[1] = (uint32_t)(number / size[0] % size[1]);
    block->id[2] = (uint32_t)(number / size[0] / size[1]);
    block->shared_bytes = run->grid->shared_bytes;
    block->done = 0;
    memset(block->shared, 0, block->shared_bytes);
    memset(block->barriers, 0, sizeof block->barriers);
    memset(&worker->errors[place], 0, sizeof worker->errors[place]);
    for (unsigned n = 0; n < block->warp_count; n++) {
        struct warp *w = &block->warps[n];
        const uint32_t left = threads - n * ET_LANES;
        const bool fresh = take_program(w, run->launch->program);
        w->launch = run->launch;
        w->error = &worker->errors[place];
        w->context = &worker->context;
        w->io = NULL;
        w->block = block;
        w->index = n;
        if (ready_file(w, w->program->slots, &worker->slots[place][n], w->error) != ETALON_OK ||
            et_warp_start(w, left >= ET_LANES ? ~0u : (1u << left) - 1, fresh) != ETALON_OK) {
            w->program = NULL;
            return ETALON_NO_MEMORY;
        }
        if (fresh)
            fill_pool(w, true, ET_LANES);
    }
    return ETALON_OK;
}

/* Gives the block's warps turns until all are done, one fails, none can go on, or the block's turn is over.
 */
static enum run block_run(struct block *block)
{
    int64_t left = BLOCK_TURN;
    for (;;) {
        bool progressed = false;
        for (unsigned n = 0; n < block->warp_count; n++) {
            struct warp *w = &block->warps[n];
            const uint64_t before = w->count;
            enum run run;
            if (w->done)
                continue;
            run = et_warp_run(w, WARP_TURN);
            left -= (int64_t)(w->count - before) + 1;
            if (run == RUN_FAILED)
                return run;
            progressed |= run != RUN_BLOCKED || w->count != before;
            if (run == RUN_DONE)
                block->done++;
            if (run == RUN_DONE || run == RUN_BLOCKED)
                et_block_check(block);
        }
        if (block->done == block->warp_count)
            return RUN_DONE;
        if (!progressed) {
            et_warp_fail(&block->warps[0], NULL, -1, ETALON_DEADLOCK,
                         "warps wait at a barrier that others never reach");
            return RUN_FAILED;
        }
        if (left <= 0)
            return RUN_SLICE;
    }
}

static void block_ends(struct worker *worker, struct grid_run *run, unsigned place, enum run how)
{
    struct block *block = worker->blocks[place];
    for (unsigned n = 0; n < block->warp_count; n++)
        add_counts(&worker->counts, &block->warps[n]);
    if (how != RUN_FAILED)
        return;
#if defined(_OPENMP)
#pragma omp critical(et_grid_error)
#endif
    if (block->number < run->failed_block) {
        run->failed_block = block->number;
        if (run->error)
            *run->error = worker->errors[place];
    }
}

/* The next block's number, or `blocks` when there is none or one has failed. */
static uint64_t take_block(struct grid_run *run)
{
    uint64_t number, failed;
#if defined(_OPENMP)
#pragma omp atomic read
#endif
    failed = run->failed_block;
    if (failed != UINT64_MAX)
        return run->blocks;
#if defined(_OPENMP)
#pragma omp atomic capture
#endif
    number = run->next++;
    return number < run->blocks ? number : run->blocks;
}

/* Runs blocks until none is left. A block whose turn is over stays in flight while others start, so that
 * blocks which wait on one another make progress; the oldest go first. */
static void work(struct worker *worker, struct grid_run *run)
{
    const uint32_t fp = et_fp_save();
    unsigned flying = 0, turn = 0;
    bool more = true;
    et_view_init(&worker->context.view, run->launch->map, run->launch->event);
    while (more || flying) {
        enum run how;
        if (more && flying < RESIDENT && turn >= flying) {
            const uint64_t number = take_block(run);
            more = number < run->blocks;
            if (more) {
                if (flying >= worker->count) {
                    worker->blocks[flying] = block_new(run, &worker->slots[flying]);
                    worker->count += worker->blocks[flying] != NULL;
                }
                if (flying >= worker->count || block_start(worker, run, flying, number) != ETALON_OK) {
#if defined(_OPENMP)
#pragma omp critical(et_grid_error)
#endif
                    if (number < run->failed_block) {
                        run->failed_block = number;
                        et_fail(run->error, ETALON_NO_MEMORY, "a thread block");
                    }
                    break;
                }
                flying++;
            }
        }
        if (!flying)
            break;
        if (turn >= flying)
            turn = 0;
        how = block_run(worker->blocks[turn]);
        if (how == RUN_SLICE) {
            turn++;
            continue;
        }
        block_ends(worker, run, turn, how);
        if (how == RUN_FAILED)
            break;
        /* The last one's storage takes its place; order among the others stays nearly that of their numbers.
         */
        flying--;
        if (turn != flying) {
            struct block *block = worker->blocks[turn];
            size_t *slots = worker->slots[turn];
            for (unsigned n = turn; n < flying; n++) {
                worker->blocks[n] = worker->blocks[n + 1];
                worker->slots[n] = worker->slots[n + 1];
                worker->errors[n] = worker->errors[n + 1];
                for (unsigned m = 0; m < worker->blocks[n]->warp_count; m++)
                    worker->blocks[n]->warps[m].error = &worker->errors[n];
            }
            worker->blocks[flying] = block;
            worker->slots[flying] = slots;
        }
    }
    et_fp_restore(fp);
}

static void worker_finish(struct worker *worker)
{
    for (unsigned n = 0; n < worker->count; n++)
        block_free(worker->blocks[n], worker->slots[n]);
    et_tex_unit_destroy(worker->context.unit);
    et_free(worker);
}

static enum etalon_status check_grid(const struct et_grid *grid, struct etalon_error *error)
{
    uint64_t threads = 1;
    for (unsigned n = 0; n < 3; n++) {
        if (grid->block[n] > 1024 || (threads *= grid->block[n]) > 1024)
            return et_fail(error, ETALON_BOUNDS, "a block of %ux%ux%u threads", grid->block[0],
                           grid->block[1], grid->block[2]);
        if (grid->grid[n] > INT32_MAX)
            return et_fail(error, ETALON_BOUNDS, "a grid of %ux%ux%u blocks", grid->grid[0], grid->grid[1],
                           grid->grid[2]);
    }
    if (grid->shared_bytes > 1u << 20)
        return et_fail(error, ETALON_BOUNDS, "%u bytes of shared memory", grid->shared_bytes);
    return ETALON_OK;
}

static void run_workers(struct grid_run *run, int threads, struct et_counts *counts)
{
#if defined(_OPENMP)
#pragma omp parallel num_threads(threads) if (threads > 1)
#else
    (void)threads;
#endif
    {
        struct worker *worker = et_calloc(1, sizeof *worker);
        if (worker) {
            work(worker, run);
#if defined(_OPENMP)
#pragma omp critical(et_grid_error)
#endif
            {
                if (counts) {
                    counts->instructions += worker->counts.instructions;
                    counts->lane_instructions += worker->counts.lane_instructions;
                }
            }
            worker_finish(worker);
        }
    }
}

enum etalon_status et_run_grid(const struct et_launch *launch, const struct et_grid *grid,
                               struct et_counts *counts, struct etalon_error *error)
{
    struct grid_run run = {.launch = launch, .grid = grid, .failed_block = UINT64_MAX, .error = error};
    const uint32_t threads = grid->block[0] * grid->block[1] * grid->block[2];
    int workers = grid->threads > 0 ? grid->threads : 1;
    if (check_grid(grid, error) != ETALON_OK)
        return ETALON_BOUNDS;
    run.blocks = (uint64_t)grid->grid[0] * grid->grid[1] * grid->grid[2];
    run.warps = (threads + ET_LANES - 1) / ET_LANES;
    if (!run.blocks || !threads)
        return ETALON_OK;
    if (grid->ordered || launch->program->info.ordered || run.blocks == 1)
        workers = 1;
    if ((uint64_t)workers > run.blocks)
        workers = (int)run.blocks;
    if (workers > 1) {
        run_workers(&run, workers, counts);
    } else {
        struct worker *worker = et_calloc(1, sizeof *worker);
        if (!worker)
            return et_fail(error, ETALON_NO_MEMORY, "a grid");
        work(worker, &run);
        if (counts) {
            counts->instructions += worker->counts.instructions;
            counts->lane_instructions += worker->counts.lane_instructions;
        }
        worker_finish(worker);
    }
    if (run.failed_block != UINT64_MAX)
        return error ? error->status : ETALON_INTERNAL;
    return run.next < run.blocks ? et_fail(error, ETALON_NO_MEMORY, "a grid") : ETALON_OK;
}
