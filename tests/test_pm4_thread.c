/* The GPU thread (P25..P32), independent progress of 57 queues, cycles. Clean under ThreadSanitizer. */
#include "support/pm4_world.h"
#include "support/suite.h"

#include <pthread.h>
#include <time.h>

static void start_thread(struct world *world)
{
    struct etalon_error error = {0};
    ck_assert_msg(etalon_pm4_thread_start(world->pm4, &error) == ETALON_OK, "%s", error.text);
}

static struct world *world_threaded(void)
{
    struct world *world = world_console();
    start_thread(world);
    return world;
}

/* Stores and loads a label as another processor would. */
static void store(struct world *world, uint64_t address, uint32_t value)
{
    __atomic_store_n(world_at(world, address), value, __ATOMIC_RELEASE);
}

static uint32_t load(struct world *world, uint64_t address)
{
    return __atomic_load_n(world_at(world, address), __ATOMIC_ACQUIRE);
}

START_TEST(p28_memory_waits_are_polled)
{
    struct world *world = world_threaded();
    SUBMIT(world, 3, WAIT32(0x100, 1), DISPATCH(7), WRITE32(0x104, 9));
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 20, &world->report), ETALON_DEADLOCK);
    ck_assert_int_eq(world->report.result, ETALON_PM4_BLOCKED);
    store(world, WORLD_BASE + 0x100, 1);
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, NULL), ETALON_OK);
    ck_assert_uint_eq(load(world, WORLD_BASE + 0x104), 9);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    world_end(world);
}
END_TEST

START_TEST(p29_done_counts_frames)
{
    struct world *world = world_threaded();
    SUBMIT(world, 0, DRAW(1));
    ck_assert_int_eq(etalon_pm4_done(world->pm4, 0), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    ck_assert_int_eq(etalon_pm4_done(world->pm4, 0), ETALON_OK);
    ck_assert_uint_eq(etalon_pm4_frames(world->pm4), 2);
    world_end(world);
}
END_TEST

START_TEST(p30_shutdown_drains)
{
    struct world *world = world_threaded();
    for (uint32_t i = 0; i < 200; i++)
        SUBMIT(world, i % 57, DISPATCH(1));
    ck_assert_int_eq(etalon_pm4_shutdown(world->pm4), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 200);
    ck_assert_int_eq(etalon_pm4_submit(world->pm4, W(DRAW(1)), 3, NULL, 0, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_send(world->pm4, (void (*)(void *))abort, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_shutdown(world->pm4), ETALON_OK);
    world_end(world);
}
END_TEST

START_TEST(p30_shutdown_gives_up_on_blocked_queues)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->config.drain_ms = 20;
    world_start(world);
    start_thread(world);
    SUBMIT(world, 3, WAIT32(0x100, 1));
    SUBMIT(world, 4, DISPATCH(1));
    ck_assert_int_eq(etalon_pm4_shutdown(world->pm4), ETALON_DEADLOCK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    world_end(world);
}
END_TEST

struct commands {
    struct world *world;
    unsigned order[64], count;
    bool on_thread, inline_first;
};

static void note(void *user)
{
    struct commands *commands = user;
    commands->order[commands->count] = commands->count;
    commands->count++;
    commands->on_thread = etalon_pm4_on_thread(commands->world->pm4);
}

static void nested(void *user)
{
    struct commands *commands = user;
    const unsigned before = commands->count;
    /* On the thread itself: inline, in both forms, and no deadlock. */
    ck_assert_int_eq(etalon_pm4_send_sync(commands->world->pm4, note, user), ETALON_OK);
    ck_assert_int_eq(etalon_pm4_send(commands->world->pm4, note, user), ETALON_OK);
    commands->inline_first = commands->count == before + 2;
    ck_assert_int_eq(etalon_pm4_wait_idle(commands->world->pm4, 0, NULL), ETALON_CANCELLED);
}

START_TEST(p31_commands)
{
    struct world *world = world_threaded();
    struct commands commands = {.world = world};
    ck_assert(!etalon_pm4_on_thread(world->pm4));
    for (unsigned i = 0; i < 20; i++)
        ck_assert_int_eq(etalon_pm4_send(world->pm4, note, &commands), ETALON_OK);
    ck_assert_int_eq(etalon_pm4_send_sync(world->pm4, nested, &commands), ETALON_OK);
    ck_assert_uint_eq(commands.count, 22); /* first in, first out: all before it have run */
    ck_assert(commands.on_thread && commands.inline_first);
    ck_assert_int_eq(etalon_pm4_send(world->pm4, NULL, NULL), ETALON_INVALID);
    ck_assert_int_eq(etalon_pm4_send_sync(world->pm4, NULL, NULL), ETALON_INVALID);
    world_end(world);
    world = world_console(); /* no thread */
    ck_assert_int_eq(etalon_pm4_send(world->pm4, note, &commands), ETALON_INVALID);
    world_end(world);
}
END_TEST

struct loop {
    struct world *world;
    uint32_t *words;
    bool running;
};

static void end_loop(void *user)
{
    struct loop *loop = user;
    /* Between two packets of the slice: the chain becomes an empty call. */
    loop->words[3] = 0x0F200000;
    loop->running = etalon_pm4_on_thread(loop->world->pm4);
}

/* A stream that would never end takes commands between its packets. */
START_TEST(p32_commands_between_packets)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->config.packet_budget = UINT64_MAX;
    world_start(world);
    start_thread(world);
    uint32_t *words = world_at(world, WORLD_BASE + 0x800);
    struct loop loop = {.world = world, .words = words};
    memcpy(words, W(0xC0023F00, 0x800, 1, 0x0F300004), 16);
    SUBMIT(world, 0, 0xC0023F00, 0x800, 1, 0x0F200004, DRAW(1));
    ck_assert_int_eq(etalon_pm4_send_sync(world->pm4, end_loop, &loop), ETALON_OK);
    ck_assert(loop.running);
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, NULL), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    world_end(world);
}
END_TEST

START_TEST(p34_rewind_released_by_another_thread)
{
    struct world *world = world_threaded();
    static uint32_t words[] = {0xC0005900, 0, DRAW(3)};
    world_submit(world, 0, words, 5, NULL, 0);
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 5, NULL), ETALON_DEADLOCK);
    __atomic_store_n(&words[1], 0x80000000, __ATOMIC_RELEASE);
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, NULL), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DRAW), 1);
    world_end(world);
}
END_TEST

START_TEST(faults_and_resets_with_a_thread)
{
    struct world *world = world_threaded();
    struct etalon_pm4_queue_info info;
    struct etalon_pm4_snapshot *state;
    uint32_t value;
    SUBMIT(world, 5, 0xC0017600, 0x207, 9, 0xC0000000, 0);
    SUBMIT(world, 5, DISPATCH(1));
    SUBMIT(world, 6, DISPATCH(2));
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, &world->report), ETALON_UNKNOWN_METHOD);
    ck_assert_int_eq(world->report.fault, ETALON_PM4_UNKNOWN_OPCODE);
    ck_assert_uint_eq(world->report.fault_at.queue, 5);
    ck_assert_int_eq(etalon_pm4_query(world->pm4, 5, &info, &state), ETALON_OK);
    ck_assert(info.faulted);
    ck_assert(etalon_pm4_snapshot_read_name(state, "COMPUTE_NUM_THREAD_X", &value) && value == 9);
    etalon_pm4_snapshot_release(state);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    ck_assert_int_eq(etalon_pm4_reset(world->pm4, 5), ETALON_OK);
    SUBMIT(world, 5, DISPATCH(3));
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, NULL), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 2);
    world_end(world);
}
END_TEST

static void reset_own_queue(void *user, const struct etalon_pm4_dispatch *dispatch,
                            struct etalon_pm4_snapshot *state)
{
    struct world *world = ((struct et_pm4_recording *)user)->user;
    (void)state;
    ck_assert_int_eq(etalon_pm4_reset(world->pm4, dispatch->queue), ETALON_OK);
    ck_assert_int_eq(etalon_pm4_run(world->pm4, NULL), ETALON_PM4_BLOCKED); /* no run within a run */
}

START_TEST(reset_out_of_a_hook)
{
    struct world *world = world_new(ETALON_PM4_CONSOLE);
    world->recording.user = world;
    world->config.hooks.dispatch = reset_own_queue;
    world_start(world);
    SUBMIT(world, 5, 0xC0017600, 0x207, 9, DISPATCH(1), WRITE32(0x100, 1));
    SUBMIT(world, 5, WRITE32(0x104, 1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_IDLE);
    ck_assert_uint_eq(load(world, WORLD_BASE + 0x100), 0); /* dropped, with what stood behind it */
    ck_assert_uint_eq(load(world, WORLD_BASE + 0x104), 0);
    bool written;
    world_register(world, 5, ETALON_PM4_SH, 0x207, &written);
    ck_assert(!written);
    world_end(world);
}
END_TEST

/* ---- many submitters ---- */

enum { SUBMITTERS = 4, ROUNDS = 50 };

struct submitter {
    struct world *world;
    uint32_t first;
    uint32_t words[ROUNDS][10];
    pthread_t thread;
};

static void *submit_many(void *user)
{
    struct submitter *submitter = user;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        const uint32_t at = 0x1000 + (submitter->first * ROUNDS + i) * 4,
                       queue = 1 + (submitter->first * 13 + i) % 56;
        struct etalon_pm4_queue_info info;
        memcpy(submitter->words[i], W(WRITE32(at, i + 1), DISPATCH(1)), 40);
        if (etalon_pm4_submit_compute(submitter->world->pm4, queue, submitter->words[i], 10, NULL) !=
                ETALON_OK ||
            etalon_pm4_query(submitter->world->pm4, queue, &info, NULL) != ETALON_OK)
            return user;
    }
    return NULL;
}

START_TEST(many_submitters)
{
    struct world *world = world_threaded();
    static struct submitter submitters[SUBMITTERS];
    for (uint32_t i = 0; i < SUBMITTERS; i++) {
        submitters[i].world = world;
        submitters[i].first = i;
        ck_assert_int_eq(pthread_create(&submitters[i].thread, NULL, submit_many, &submitters[i]), 0);
    }
    for (uint32_t i = 0; i < SUBMITTERS; i++) {
        void *failed;
        pthread_join(submitters[i].thread, &failed);
        ck_assert_ptr_null(failed);
    }
    ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, NULL), ETALON_OK);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), SUBMITTERS * ROUNDS);
    for (uint32_t i = 0; i < SUBMITTERS * ROUNDS; i++)
        ck_assert_uint_eq(load(world, WORLD_BASE + 0x1000 + i * 4), i % ROUNDS + 1);
    world_end(world);
}
END_TEST

/* ---- independent progress ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

enum { NODES = 400, EDGES = 3, NODE_WORDS = 7 * EDGES + 5 + 5 + 8 };

/* A node is a submission: waits for the labels of earlier nodes, marks its order, releases its own label. Its
 * queue is drawn at random, so fronts wait on submissions that stand anywhere in other queues. */
struct graph {
    uint32_t words[NODES][NODE_WORDS], length[NODES], queue[NODES], waits[NODES][EDGES], wait_count[NODES];
};

static uint32_t label_of(uint32_t node)
{
    return 0x1000 + node * 8;
}

static void add(struct graph *graph, uint32_t node, const uint32_t *words, uint32_t count)
{
    memcpy(graph->words[node] + graph->length[node], words, count * 4);
    graph->length[node] += count;
}
#define ADD(graph, node, ...) add(graph, node, W(__VA_ARGS__), N(__VA_ARGS__))

static struct graph *make_graph(uint64_t seed)
{
    struct graph *graph = calloc(1, sizeof *graph);
    uint64_t random = seed * 0x9E3779B97F4A7C15 + 1;
    ck_assert_ptr_nonnull(graph);
    for (uint32_t node = 0; node < NODES; node++) {
        graph->queue[node] = (uint32_t)(next_random(&random) % 57);
        const uint32_t edges = node ? (uint32_t)(next_random(&random) % (EDGES + 1)) : 0;
        for (uint32_t i = 0; i < edges; i++) {
            const uint32_t on = (uint32_t)(next_random(&random) % node);
            graph->waits[node][graph->wait_count[node]++] = on;
            ADD(graph, node, WAIT32(label_of(on), on + 1));
        }
        /* The number of the dispatch tells the order in the recording. */
        ADD(graph, node, DISPATCH(node));
        ADD(graph, node, 0xC0061060, 0x504, 0x20000000, label_of(node), 1, node + 1, 0, 0);
    }
    return graph;
}

/* Submits the nodes in an order that is not theirs across queues, though within one it is. */
static void submit_graph(struct world *world, const struct graph *graph, uint64_t seed)
{
    uint32_t next[57] = {0}, left = NODES;
    uint64_t random = seed + 77;
    while (left) {
        const uint32_t queue = (uint32_t)(next_random(&random) % 57);
        uint32_t node = next[queue];
        while (node < NODES && graph->queue[node] != queue)
            node++;
        next[queue] = node + (node < NODES);
        if (node == NODES)
            continue;
        left--;
        world_submit(world, queue, graph->words[node], graph->length[node], NULL, 0);
    }
}

static void check_order(const struct world *world, const struct graph *graph)
{
    uint32_t position[NODES];
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), NODES);
    for (uint32_t i = 0; i < NODES; i++)
        position[world->recording.list[ET_PM4_WORK_DISPATCH][i].as.dispatch.groups[0]] = i;
    for (uint32_t node = 0; node < NODES; node++)
        for (uint32_t i = 0; i < graph->wait_count[node]; i++)
            ck_assert_uint_lt(position[graph->waits[node][i]], position[node]);
}

START_TEST(independent_progress)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct graph *graph = make_graph(seed);
        struct world *world = world_console();
        submit_graph(world, graph, seed);
        ck_assert_msg(world_run(world) == ETALON_PM4_IDLE, "seed %llu", (unsigned long long)seed);
        check_order(world, graph);
        world_end(world);
        free(graph);
    }
}
END_TEST

START_TEST(independent_progress_with_a_thread)
{
    for (uint64_t seed = 11; seed <= 13; seed++) {
        struct graph *graph = make_graph(seed);
        struct world *world = world_threaded();
        submit_graph(world, graph, seed);
        ck_assert_int_eq(etalon_pm4_wait_idle(world->pm4, 0, NULL), ETALON_OK);
        check_order(world, graph);
        world_end(world);
        free(graph);
    }
}
END_TEST

/* Node NODES-1 releases what node 0 .. waits for: the cycle is named, queue by queue. */
START_TEST(cycle_is_reported)
{
    struct world *world = world_console();
    SUBMIT(world, 3, WAIT32(0x100, 1), WRITE32(0x104, 1));
    SUBMIT(world, 8, WAIT32(0x104, 1));
    SUBMIT(world, 8, WRITE32(0x108, 1)); /* stands behind the wait */
    SUBMIT(world, 0, WAIT32(0x108, 1), 0xC0061060, 0x504, 0x20000000, 0x100, 1, 1, 0, 0);
    SUBMIT(world, 20, WAIT32(0x200, 1));          /* nobody writes this one */
    SUBMIT(world, 21, WAIT32(0x108, 1), DRAW(1)); /* hangs on the cycle, and is not of it */
    SUBMIT(world, 22, DISPATCH(1));
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(world_count(world, ET_PM4_WORK_DISPATCH), 1);
    ck_assert_uint_eq(world->report.waits, 5);
    ck_assert_uint_eq(world->report.cycle, 3);
    for (uint32_t i = 0; i < 3; i++) {
        static const uint32_t next[57] = {[3] = 0, [0] = 8, [8] = 3};
        ck_assert_uint_eq(world->report.cycle_queue[(i + 1) % 3], next[world->report.cycle_queue[i]]);
    }
    for (uint32_t i = 0; i < world->report.waits; i++) {
        const struct etalon_pm4_wait *wait = &world->report.wait[i];
        ck_assert_int_eq(wait->kind, ETALON_PM4_WAIT_MEMORY);
        ck_assert_uint_eq(wait->reference, 1);
        ck_assert_uint_eq(wait->writer, wait->at.queue == 20   ? ETALON_PM4_NO_QUEUE
                                        : wait->at.queue == 21 ? 8
                                        : wait->at.queue == 3  ? 0
                                        : wait->at.queue == 8  ? 3
                                                               : 8);
    }
    world_end(world);
}
END_TEST

/* A queue that waits for what it would itself do later, through a called buffer. */
START_TEST(cycle_of_one)
{
    struct world *world = world_console();
    memcpy(world_at(world, WORLD_BASE + 0x800), W(WRITE32(0x100, 1)), 20);
    SUBMIT(world, 3, WAIT32(0x100, 1), 0xC0023F00, 0x800, 1, 0x0F200005);
    ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
    ck_assert_uint_eq(world->report.cycle, 1);
    ck_assert_uint_eq(world->report.cycle_queue[0], 3);
    world_end(world);
}
END_TEST

/* Random graphs with one edge turned round: what is left is blocked, and a cycle is found. */
START_TEST(random_cycles)
{
    for (uint64_t seed = 21; seed <= 24; seed++) {
        struct graph *graph = make_graph(seed);
        struct world *world = world_console();
        uint64_t random = seed;
        const uint32_t last = 200 + (uint32_t)(next_random(&random) % 199);
        uint32_t early = last;
        while (graph->wait_count[early]) /* a first ancestor of `last` */
            early = graph->waits[early][0];
        if (early != last) {
            uint32_t moved[NODE_WORDS];
            memcpy(moved, graph->words[early], sizeof moved);
            graph->length[early] = 0;
            ADD(graph, early, WAIT32(label_of(last), last + 1));
            memcpy(graph->words[early] + 7, moved, 13 * 4); /* its dispatch and release */
            graph->length[early] = 7 + 13;
            submit_graph(world, graph, seed);
            ck_assert_int_eq(world_run(world), ETALON_PM4_BLOCKED);
            ck_assert_uint_gt(world->report.cycle, 0);
            ck_assert_uint_lt(world_count(world, ET_PM4_WORK_DISPATCH), NODES);
        }
        world_end(world);
        free(graph);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pm4 threads");
    TCase *threads = tcase_create("threads");
    tcase_set_timeout(threads, 120);
    tcase_add_test(threads, p28_memory_waits_are_polled);
    tcase_add_test(threads, p29_done_counts_frames);
    tcase_add_test(threads, p30_shutdown_drains);
    tcase_add_test(threads, p30_shutdown_gives_up_on_blocked_queues);
    tcase_add_test(threads, p31_commands);
    tcase_add_test(threads, p32_commands_between_packets);
    tcase_add_test(threads, p34_rewind_released_by_another_thread);
    tcase_add_test(threads, faults_and_resets_with_a_thread);
    tcase_add_test(threads, reset_out_of_a_hook);
    tcase_add_test(threads, many_submitters);
    TCase *progress = tcase_create("progress");
    tcase_set_timeout(progress, 120);
    tcase_add_test(progress, independent_progress);
    tcase_add_test(progress, independent_progress_with_a_thread);
    tcase_add_test(progress, cycle_is_reported);
    tcase_add_test(progress, cycle_of_one);
    tcase_add_test(progress, random_cycles);
    suite_add_tcase(suite, threads);
    suite_add_tcase(suite, progress);
    return suite_run(suite);
}
