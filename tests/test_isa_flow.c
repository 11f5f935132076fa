/* Control flow, divergence and barriers in assembly, a rule at a time, on both instruction sets. */
#include "isa/ir/ir.h"
#include "support/assembly.h"
#include "support/isas.h"

static uint32_t in[64][4], out[64][4];

static uint32_t value(unsigned thread, unsigned word)
{
    return (thread * 4 + word + 1) * 2654435761u;
}

static void start(struct asm_machine *m, enum et_isa_kind kind)
{
    asm_open(m, isas[kind]);
    m->bank[8] = ~0u; /* c[0x0][0x20] */
    m->bank[9] = 1;
    for (unsigned t = 0; t < 64; t++)
        for (unsigned n = 0; n < 4; n++)
            in[t][n] = value(t, n);
    et_store32(m->ram.base + 0x8020, ~0u); /* what cx[UR2][0x20] is */
    et_store32(m->ram.base + 0x8024, 1);
}

typedef void expect_fn(unsigned t, uint32_t want[4]);
#define EXPECT(name) static void name(unsigned t, uint32_t want[4])

struct flow {
    enum et_isa_kind isa;
    const char *name, *text;
    expect_fn *expect;
    unsigned threads;
};

#define SIDES_AMPERE    "ISETP.LT.U32.AND P0, PT, R0, 0xa, PT\n"
#define SIDES_MAXWELL   "ISETP.LT.U32.AND P0, PT, R0, 0xa, PT\n"
#define COUNTER_AMPERE  "MOV R12, 0x19000\nMOV R13, RZ\nMOV R14, 0x1\n" SIDES_AMPERE
#define COUNTER_MAXWELL "MOV32I R12, 0x19000\nMOV R13, RZ\nMOV32I R14, 0x1\n" SIDES_MAXWELL
#define NEXT_AMPERE(d)  "ATOMG.E.ADD.STRONG.GPU PT, " d ", [R12.64], R14\n"
#define NEXT_MAXWELL(d) "ATOM.E.ADD " d ", [R12], R14\n"

/* ---- which side runs first: the one that does not branch, whole; lanes of one access in ascending order */
EXPECT(falls_through_first)
{
    want[0] = t >= 10 ? t - 10 : 44 + t;
    want[1] = t >= 10 ? 22 + t - 10 : 0;
}
static const char first_maxwell[] = COUNTER_MAXWELL "SSY `(J)\n@P0 BRA `(T)\n" NEXT_MAXWELL("R8")
    NEXT_MAXWELL("R9") "SYNC\nT:\n" NEXT_MAXWELL("R8") "SYNC\nJ:\nNOP\n";
static const char first_ampere[] = COUNTER_AMPERE "BSSY B0, `(J)\n@P0 BRA `(T)\n" NEXT_AMPERE("R8")
    NEXT_AMPERE("R9") "BRA `(J)\nT:\n" NEXT_AMPERE("R8") "J:\nBSYNC B0\n";

/* ---- when a group is switched: at YIELD, NANOSLEEP, and when its turn is used up; one that has just parted
 * keeps the rest of its warp's turn */
EXPECT(other_side_between)
{
    want[0] = t >= 10 ? t - 10 : 22 + t;
    want[1] = t >= 10 ? 32 + t - 10 : 0;
}
static const char yield_ampere[] = COUNTER_AMPERE "BSSY B0, `(J)\n@P0 BRA `(T)\n" NEXT_AMPERE(
    "R8") "YIELD\n" NEXT_AMPERE("R9") "BRA `(J)\nT:\n" NEXT_AMPERE("R8") "J:\nBSYNC B0\n";
static const char sleep_ampere[] = COUNTER_AMPERE "BSSY B0, `(J)\n@P0 BRA `(T)\n" NEXT_AMPERE(
    "R8") "NANOSLEEP 0x20\n" NEXT_AMPERE("R9") "BRA `(J)\nT:\n" NEXT_AMPERE("R8") "J:\nBSYNC B0\n";
static const char turn_ampere[] = COUNTER_AMPERE "MOV R16, RZ\nBSSY B0, `(J)\n@P0 BRA `(T)\n" NEXT_AMPERE(
    "R8") "L:\nIADD3 R16, R16, 0x1, RZ\nISETP.LT.U32.AND P1, PT, R16, 0x2000, PT\n@P1 BRA "
          "`(L)\n" NEXT_AMPERE("R9") "BRA `("
                                     "J)\nT:"
                                     "\n" NEXT_AMPERE("R8") "J:\nBSYNC B0\n";

/* ---- VOTE, MATCH and SHFL take the lanes that run and wait for none; a lane that does not run
 * gives zero */
EXPECT(running_lanes)
{
    const uint32_t side = t < 10 ? 0x3ff : 0xfffffc00;
    want[0] = want[1] = side;
    want[2] = 0;
    want[3] = t < 10;
}
static const char running_ampere[] = SIDES_AMPERE
    "MOV R12, 0x1f\nMOV R14, 0x7\n@!P0 MOV R12, RZ\nBSSY B0, `(J)\n@P0 BRA `(T)\n"
    "VOTE.ANY R8, PT, PT\nMATCH.ANY R9, R14\nSHFL.IDX PT, R10, R4, R12, 0x1f\nVOTE.ALL P1, P0\n"
    "SEL R11, RZ, 0x1, !P1\nBRA `(J)\n"
    "T:\nVOTE.ANY R8, PT, PT\nMATCH.ANY R9, R14\nSHFL.IDX PT, R10, R4, R12, 0x1f\nVOTE.ALL P1, P0\n"
    "SEL R11, RZ, 0x1, !P1\nJ:\nBSYNC B0\n";

/* ---- WARPSYNC waits for the lanes of its mask, wherever that comes from */
EXPECT(all_lanes)
{
    (void)t;
    want[0] = ~0u;
}
#define WARPSYNC_TEXT(operand)                                                                               \
    "MOV R12, c[0x0][0x20]\nR2UR UR4, R12\nUMOV UR2, 0x1800\nUMOV UR3, 0x800000\n" SIDES_AMPERE              \
    "@P0 BRA `(W)\nMOV R9, RZ\nW:\nWARPSYNC " operand "\nVOTE.ANY R8, PT, PT\n"

/* ---- EXIT inside a barrier's mask: who waits is let go when the others end */
EXPECT(ends_let_go)
{
    want[0] = t < 10 ? 0 : 0xfffffc00;
}
static const char exit_ampere[] =
    SIDES_AMPERE "BSSY B0, `(J)\n@P0 BRA `(X)\nBSYNC B0\nJ:\nVOTE.ANY R8, PT, PT\n"
                 "BRA `(E)\nX:\nEXIT\nE:\nNOP\n";
static const char exit_maxwell[] =
    SIDES_MAXWELL "SSY `(J)\n@P0 BRA `(X)\nSYNC\nX:\nEXIT\nJ:\nVOTE.ANY R8, PT, PT\n";

/* ---- BREAK lets those go who wait */
EXPECT(break_lets_go)
{
    want[0] = t < 10 ? 0x3ff : 0xfffffc00;
}
static const char break_ampere[] =
    SIDES_AMPERE "BSSY B0, `(J)\n@P0 BRA `(X)\nBSYNC B0\nJ:\nVOTE.ANY R8, PT, PT\n"
                 "BRA `(E)\nX:\nBREAK B0\nVOTE.ANY R8, PT, PT\nE:\nNOP\n";

/* ---- lanes that spin on a lock let the others progress */
EXPECT(locked_count)
{
    (void)t;
    want[0] = 1;
}
static const char lock_ampere[] =
    "MOV R12, 0x19000\nMOV R13, RZ\nMOV R14, RZ\nMOV R15, 0x1\n"
    "L:\nATOMG.E.CAS.STRONG.GPU PT, R16, [R12], R14, R15\nISETP.NE.U32.AND P0, PT, R16, RZ, PT\n@P0 BRA "
    "`(L)\n"
    "LDG.E R17, [R12.64+0x4]\nIADD3 R17, R17, 0x1, RZ\nSTG.E [R12.64+0x4], R17\n"
    "ATOMG.E.EXCH.STRONG.GPU PT, R16, [R12.64], RZ\nWARPSYNC 0xffffffff\nLDG.E R17, [R12.64+0x4]\n"
    "ISETP.EQ.U32.AND P0, PT, R17, 0x20, PT\nSEL R8, RZ, 0x1, !P0\n";

/* ---- uniform registers under divergence: one file; each side's turn works on it */
EXPECT(uniform_sum)
{
    (void)t;
    want[0] = 0x11;
}
static const char uniform_ampere[] =
    "UMOV UR4, 0x0\n" SIDES_AMPERE "BSSY B0, `(J)\n@P0 BRA `(T)\nUIADD3 UR4, UR4, 0x1, URZ\nBRA `(J)\n"
    "T:\nUIADD3 UR4, UR4, 0x10, URZ\nJ:\nBSYNC B0\nMOV R8, UR4\n";

/* ---- barrier registers */
EXPECT(barrier_values)
{
    (void)t;
    want[0] = want[1] = want[3] = ~0u;
}
static const char bmov_ampere[] =
    "BSSY B3, `(J)\nBMOV.32 R8, B3\nBMOV.32.CLEAR R9, B3\nBMOV.32 R10, B3\nBMOV.32 B3, R8\n"
    "BMOV.32 B4, B3\nBMOV.32 R11, B4\nJ:\nBSYNC B3\n";
EXPECT(barrier_sources)
{
    (void)t;
    want[0] = 0xff;
    want[1] = want[2] = want[3] = ~0u;
}
static const char bmov_sources_ampere[] =
    "MOV R12, c[0x0][0x20]\nR2UR UR4, R12\nUMOV UR2, 0x1800\nUMOV UR3, 0x800000\n"
    "BMOV.32 B5, 0xff\nBMOV.32 R8, B5\nBMOV.32 B5, c[0x0][0x20]\nBMOV.32 R9, B5\n"
    "BMOV.32 B5, UR4\nBMOV.32 R10, B5\nBMOV.32 B5, RZ\nBMOV.32 B5, cx[UR2][0x20]\nBMOV.32 R11, B5\n";

/* ---- calls: only who is called runs; the address is the program's own */
EXPECT(called)
{
    want[0] = t < 10 ? 0x3ff : 0;
    want[1] = 5;
}
#define CALL_TEXT(set, call, back)                                                                           \
    SIDES_AMPERE set "BSSY B0, `(E)\n@!P0 BRA `(M)\nLEPC R20\nIADD3 R20, R20, 0x50, RZ\n"                    \
                     "R2UR UR6, R20\nUMOV UR7, 0x0\n" call                                                   \
                     " `(F)\nM:\nMOV R9, 0x5\nBRA `(E)\nF:\nVOTE.ANY R8, PT, PT\n" back                      \
                     " 0x0\nE:\nBSYNC B0\n"
EXPECT(called_maxwell)
{
    want[0] = t < 10 ? 0x3ff : 0;
    want[1] = 5;
    want[2] = ~0u;
}
static const char jcal_maxwell[] =
    SIDES_MAXWELL "SSY `(J)\n@!P0 BRA `(N)\nJCAL `(F)\nSYNC\nN:\nSYNC\n"
                  "F:\nVOTE.ANY R8, PT, PT\nRET\nJ:\nVOTE.ANY R10, PT, PT\nMOV32I R9, 0x5\n";

/* ---- branches on uniform state and through uniform registers */
EXPECT(skipped)
{
    (void)t;
    want[0] = 1;
    want[1] = 2;
}
static const char brxu_ampere[] =
    "UMOV UR4, 0x20\nUMOV UR5, 0x0\nMOV R8, 0x1\nBRXU UR4 0x0\nMOV R8, 0x3\nMOV R8, 0x4\nMOV R9, "
    "0x2\n";
static const char brau_ampere[] =
    "UISETP.EQ.U32.AND UP0, UPT, URZ, URZ, UPT\nMOV R8, 0x1\nBRA.U UP0, `(T)\nMOV R8, 0x3\nT:\n"
    "MOV R9, 0x2\nBRA.U !UP0, `(E)\nE:\nNOP\n";

/* ---- PCNT and CONT: lanes that go on to the next round wait for those that finish this one */
EXPECT(continued)
{
    want[0] = 4;
    want[1] = t & 1 ? 0 : 4;
    want[2] = ~0u;
}
static const char continue_maxwell[] = "LOP32I.AND R12, R0, 0x1\nISETP.NE.U32.AND P0, PT, R12, RZ, PT\nPBK "
                                       "`(D)\nL:\nPCNT `(N)\nIADD32I R8, R8, 0x1\n"
                                       "@P0 CONT\nIADD32I R9, R9, 0x1\nCONT\nN:\nVOTE.ANY R10, PT, "
                                       "PT\nISETP.LT.U32.AND P1, PT, R8, 0x4, PT\n@P1 BRA `(L)\n"
                                       "BRK\nD:\nNOP\n";

/* ---- 64-bit minimum and maximum by halves */
EXPECT(minimum_64)
{
    const int64_t a = (int64_t)((uint64_t)in[t][1] << 32 | in[t][0]),
                  b = (int64_t)((uint64_t)in[t][3] << 32 | in[t][2]);
    const int64_t least = a < b ? a : b, most = a < b ? b : a;
    want[0] = (uint32_t)least;
    want[1] = (uint32_t)(least >> 32);
    want[2] = (uint32_t)most;
    want[3] = (uint32_t)(most >> 32);
}
static const char imnmx_maxwell[] = "IMNMX.XHI R9.CC, R5, R7, PT\nIMNMX.U32.XLO R8, R4, R6, PT\n"
                                    "IMNMX.XHI R11.CC, R5, R7, !PT\nIMNMX.U32.XLO R10, R4, R6, !PT\n";
/* The middle of 96 bits: equal high words leave it to decide, and the low one when it is equal too. */
EXPECT(minimum_96)
{
    want[0] = in[t][0] < in[t][1] ? in[t][0] : in[t][1];
    want[1] = in[t][2] < in[t][3] ? in[t][2] : in[t][3];
    want[2] = in[t][2] < in[t][3] ? in[t][0] : in[t][1];
}
static const char imnmx_96_maxwell[] =
    "IMNMX.XHI RZ.CC, R0, R0, PT\nIMNMX.U32.XMED RZ.CC, R2, R2, PT\nIMNMX.U32.XLO R8, R4, R5, PT\n"
    "IMNMX.XHI RZ.CC, R0, R0, PT\nIMNMX.U32.XMED R9.CC, R6, R7, PT\nIMNMX.U32.XLO R10, R4, R5, PT\n";

/* ---- where the program counter points */
EXPECT(own_address_maxwell)
{
    (void)t;
    want[0] = (uint32_t)asm_address(isas[ET_ISA_MAXWELL], 9);
}
EXPECT(own_address_ampere)
{
    (void)t;
    want[0] = (uint32_t)asm_address(isas[ET_ISA_AMPERE], 7);
}

static const struct flow flows[] = {
    {ET_ISA_MAXWELL, "the side that falls through runs first", first_maxwell, falls_through_first, 32},
    {ET_ISA_AMPERE, "the side that falls through runs first", first_ampere, falls_through_first, 32},
    {ET_ISA_AMPERE, "YIELD switches", yield_ampere, other_side_between, 32},
    {ET_ISA_AMPERE, "NANOSLEEP switches", sleep_ampere, other_side_between, 32},
    {ET_ISA_AMPERE, "a turn ends", turn_ampere, other_side_between, 32},
    {ET_ISA_AMPERE, "votes take who runs", running_ampere, running_lanes, 32},
    {ET_ISA_AMPERE, "WARPSYNC R", WARPSYNC_TEXT("R12"), all_lanes, 32},
    {ET_ISA_AMPERE, "WARPSYNC immediate", WARPSYNC_TEXT("0xffffffff"), all_lanes, 32},
    {ET_ISA_AMPERE, "WARPSYNC constant", WARPSYNC_TEXT("c[0x0][0x20]"), all_lanes, 32},
    {ET_ISA_AMPERE, "WARPSYNC bindless constant", WARPSYNC_TEXT("cx[UR2][0x20]"), all_lanes, 32},
    {ET_ISA_AMPERE, "WARPSYNC UR", WARPSYNC_TEXT("UR4"), all_lanes, 32},
    {ET_ISA_AMPERE, "EXIT leaves barriers", exit_ampere, ends_let_go, 32},
    {ET_ISA_MAXWELL, "EXIT leaves the stack", exit_maxwell, ends_let_go, 32},
    {ET_ISA_AMPERE, "BREAK leaves a barrier", break_ampere, break_lets_go, 32},
    {ET_ISA_AMPERE, "a lock", lock_ampere, locked_count, 32},
    {ET_ISA_AMPERE, "uniform registers", uniform_ampere, uniform_sum, 32},
    {ET_ISA_AMPERE, "BMOV", bmov_ampere, barrier_values, 32},
    {ET_ISA_AMPERE, "BMOV's sources", bmov_sources_ampere, barrier_sources, 32},
    {ET_ISA_AMPERE, "CALL.REL", CALL_TEXT("", "CALL.REL.NOINC", "RET.REL.NODEC R20"), called, 32},
    {ET_ISA_AMPERE, "CALL.REL R", CALL_TEXT("CS2R R22, SRZ\n", "CALL.REL.NOINC R22", "RET.REL.NODEC R20"),
     called, 32},
    {ET_ISA_AMPERE, "CALL.REL UR",
     CALL_TEXT("UMOV UR4, 0x0\nUMOV UR5, 0x0\n", "CALL.REL.NOINC UR4", "RET.REL.NODEC UR6"), called, 32},
    {ET_ISA_MAXWELL, "JCAL", jcal_maxwell, called_maxwell, 32},
    {ET_ISA_AMPERE, "BRXU", brxu_ampere, skipped, 32},
    {ET_ISA_AMPERE, "BRA.U", brau_ampere, skipped, 32},
    {ET_ISA_MAXWELL, "PCNT and CONT", continue_maxwell, continued, 32},
    {ET_ISA_MAXWELL, "IMNMX.XHI, .XLO", imnmx_maxwell, minimum_64, 32},
    {ET_ISA_MAXWELL, "IMNMX.XMED", imnmx_96_maxwell, minimum_96, 32},
    {ET_ISA_MAXWELL, "LEPC", "LEPC R8\nMOV R9, RZ\n", own_address_maxwell, 32},
    {ET_ISA_AMPERE, "LEPC", "LEPC R8\n", own_address_ampere, 32},
};

static void check(struct asm_machine *m, const char *name, const char *text, expect_fn *expect,
                  unsigned threads)
{
    ck_assert_msg(asm_rows(m, text, threads, in, out) == ETALON_OK, "%s: %s", name, m->error.text);
    for (unsigned t = 0; t < threads; t++) {
        uint32_t want[4] = {0};
        expect(t, want);
        for (unsigned n = 0; n < 4; n++)
            ck_assert_msg(out[t][n] == want[n], "%s, thread %u, R%u: %08x, not %08x", name, t, 8 + n,
                          out[t][n], want[n]);
    }
}

START_TEST(flows_as_the_rule_says)
{
    static struct asm_machine m;
    const struct flow *flow = &flows[_i];
    start(&m, flow->isa);
    check(&m, flow->name, flow->text, flow->expect, flow->threads);
    asm_close(&m);
}
END_TEST

/* ---- Maxwell's branches to what a constant holds: from the next instruction, or from the code's start */
EXPECT(went_there)
{
    (void)t;
    want[0] = 1;
    want[1] = 2;
}
static const struct {
    const char *text;
    unsigned jump; /* which instruction of the body */
    bool absolute;
} constant_branches[] = {
    {"MOV32I R8, 0x1\nBRA c[0x0][0x40]\nMOV32I R8, 0x3\nMOV32I R8, 0x4\nMOV32I R9, 0x2\n", 1, false},
    {"MOV32I R8, 0x1\nJMP c[0x0][0x40]\nMOV32I R8, 0x3\nMOV32I R8, 0x4\nMOV32I R9, 0x2\n", 1, true},
    {"MOV32I R8, 0x1\nBRX c[0x0][RZ+0x40]\nMOV32I R8, 0x3\nMOV32I R8, 0x4\nMOV32I R9, 0x2\n", 1, false},
    {"MOV32I R8, 0x1\nJMX c[0x0][RZ+0x40]\nMOV32I R8, 0x3\nMOV32I R8, 0x4\nMOV32I R9, 0x2\n", 1, true},
    {"MOV32I R8, 0x1\nCAL c[0x0][0x40]\nBRA `(E)\nMOV32I R8, 0x4\nMOV32I R9, 0x2\nRET\nE:\n", 1, false},
    {"MOV32I R8, 0x1\nJCAL c[0x0][0x40]\nBRA `(E)\nMOV32I R8, 0x4\nMOV32I R9, 0x2\nRET\nE:\n", 1, true},
    {"MOV32I R8, 0x1\nJMP `(E)\nMOV32I R8, 0x3\nE:\nMOV32I R9, 0x2\n", 1, true},
};

START_TEST(constants_hold_targets)
{
    static struct asm_machine m;
    const struct et_isa *isa = isas[ET_ISA_MAXWELL];
    const unsigned body = 9;
    const uint64_t target = asm_address(isa, body + 4),
                   from = asm_address(isa, body + constant_branches[_i].jump) + 8;
    start(&m, ET_ISA_MAXWELL);
    m.bank[16] = (uint32_t)(constant_branches[_i].absolute ? target : target - from);
    check(&m, constant_branches[_i].text, constant_branches[_i].text, went_there, 32);
    asm_close(&m);
}
END_TEST

/* Ampere's absolute targets: in the code, in registers and in constants; c[0x0][0x40] holds the address of T.
 */
static const char *const absolute_branches[] = {
    "MOV R8, 0x1\nULDC.64 UR4, c[0x0][0x40]\nJMXU UR4 0x0\nBPT.TRAP 0x1\nNOP\nNOP\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nULDC.64 UR4, c[0x0][0x40]\nCALL.ABS.NOINC UR4 0x0\nBPT.TRAP 0x1\nNOP\nNOP\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nULDC.64 UR4, c[0x0][0x40]\nRET.ABS.NODEC UR4 0x0\nBPT.TRAP 0x1\nNOP\nNOP\nMOV R9, 0x2\n",
    ("MOV R8, 0x1\nMOV R12, c[0x0][0x40]\nMOV R13, RZ\nCALL.ABS.NOINC R12 0x0\nBPT.TRAP 0x1\nNOP\n"
    "MOV R9, 0x2\n"),
    "MOV R8, 0x1\nJMP c[0x0][0x40]\nBPT.TRAP 0x1\nNOP\nNOP\nNOP\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nCALL.ABS.NOINC c[0x0][0x40]\nBPT.TRAP 0x1\nNOP\nNOP\nNOP\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nJMP.CONV ~URZ, c[0x0][0x40]\nBPT.TRAP 0x1\nNOP\nNOP\nNOP\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nJMP.U UPT, c[0x0][0x40]\nBPT.TRAP 0x1\nNOP\nNOP\nNOP\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nJMP.CONV ~URZ, `(T)\nBPT.TRAP 0x1\nT:\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nJMP.U UPT, `(T)\nBPT.TRAP 0x1\nT:\nMOV R9, 0x2\n",
    "MOV R8, 0x1\nJMP.U !UPT, `(T)\nJMP.DIV ~URZ, `(T)\nMOV R9, 0x2\nT:\n", /* neither is taken */
};

START_TEST(absolute_targets)
{
    static struct asm_machine m;
    const unsigned body = 7;
    start(&m, ET_ISA_AMPERE);
    m.bank[16] = (uint32_t)asm_address(isas[ET_ISA_AMPERE], body + 6);
    check(&m, absolute_branches[_i], absolute_branches[_i], went_there, 32);
    asm_close(&m);
}
END_TEST

/* ---- a lane's calls are counted, not the warp's: lane n calls n deep; the first that goes too deep is named
 */
static const char depth_ampere[] =
    "MOV R12, RZ\nBSSY B0, `(E)\nF:\nISETP.GE.U32.AND P0, PT, R12, R0, PT\n@P0 BRA `(E)\n"
    "IADD3 R12, R12, 0x1, RZ\nCALL.REL.NOINC `(F)\nE:\nBSYNC B0\nMOV R8, R12\n";
EXPECT(own_depth)
{
    want[0] = t;
}

START_TEST(calls_are_counted_a_lane)
{
    static struct asm_machine m;
    start(&m, ET_ISA_AMPERE);
    m.launch.budget.call_depth = 31;
    check(&m, "call depth", depth_ampere, own_depth, 32);
    m.launch.budget.call_depth = 30;
    ck_assert_int_eq(asm_rows(&m, depth_ampere, 32, in, out), ETALON_STACK);
    ck_assert_uint_eq(m.error.lane, 31);
    asm_close(&m);
    /* Sides one after the other, thirty rounds of a call and a return: no depth is left over. */
    start(&m, ET_ISA_AMPERE);
    m.launch.budget.call_depth = 1;
    check(
        &m, "returns",
        "MOV R12, RZ\nLEPC R20\nIADD3 R20, R20, 0x30, RZ\nL:\nCALL.REL.NOINC `(F)\nIADD3 R12, R12, 0x1, RZ\n"
        "ISETP.LT.U32.AND P0, PT, R12, R0, PT\n@P0 BRA `(L)\nMOV R8, R0\nBRA `(E)\nF:\nRET.REL.NODEC R20 "
        "0x0\nE:\n",
        own_depth, 32);
    asm_close(&m);
    start(&m, ET_ISA_MAXWELL);
    m.launch.budget.call_depth = 8;
    ck_assert_int_eq(asm_rows(&m, "F:\nCAL `(F)\n", 32, in, out), ETALON_STACK);
    asm_close(&m);
}
END_TEST

/* ---- barriers of a block of two warps, in each form; number 1, 64 threads */
static const char *const barrier_numbers[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] =
        "MOV32I R13, 0x1\nMOV32I R14, 0x40\nSHL R12, R0, 0x2\nISETP.LT.U32.AND P0, PT, R0, 0x5, PT\n"
        "STS [R12], R4\n",
    [ET_ISA_AMPERE] = "MOV R13, 0x1\nMOV R14, 0x40\nMOV R15, 0x400001\nIMAD.SHL.U32 R12, R0, 0x4, RZ\n"
                      "ISETP.LT.U32.AND P0, PT, R0, 0x5, PT\nSTS [R12], R4\n"};
static const char *const barrier_read[ET_ISA_COUNT] = {
    [ET_ISA_MAXWELL] = "LOP32I.XOR R12, R12, 0xfc\nLDS R8, [R12]\n",
    [ET_ISA_AMPERE] = "LOP3.LUT R12, R12, 0xfc, RZ, 0x3c, !PT\nLDS R8, [R12]\n"};

static const struct {
    enum et_isa_kind isa;
    const char *operands;
} barrier_forms[] = {
    {ET_ISA_MAXWELL, "R13, R14"},  {ET_ISA_MAXWELL, "R13, 0x40"}, {ET_ISA_MAXWELL, "0x1, R14"},
    {ET_ISA_MAXWELL, "0x1, 0x40"}, {ET_ISA_AMPERE, "R15, R15"},   {ET_ISA_AMPERE, "R13, 0x40"},
    {ET_ISA_AMPERE, "0x1, R14"},   {ET_ISA_AMPERE, "0x1, 0x40"},
};

EXPECT(others_value)
{
    want[0] = in[63 - t][0];
}
EXPECT(others_value_count)
{
    others_value(t, want);
    want[1] = 5;
    want[2] = 1;
}
EXPECT(others_value_all)
{
    others_value(t, want);
    want[1] = 5;
}
/* Warp 0 waits for what warp 1 brings, which goes on at once: it finds one warp waiting, then none. */
EXPECT(arrived)
{
    if (t < 32)
        others_value(t, want);
    want[1] = t < 32 ? 0 : 32;
}

START_TEST(barriers_in_every_form)
{
    static struct asm_machine m;
    const enum et_isa_kind kind = barrier_forms[_i].isa;
    const char *operands = barrier_forms[_i].operands;
    static const char *const reductions[] = {"POPC", "AND", "OR"};
    static expect_fn *const expects[] = {others_value_count, others_value_all, others_value_count};
    char text[1024];
    start(&m, kind);
    snprintf(text, sizeof text, "%sBAR.SYNC %s\n%s", barrier_numbers[kind], operands, barrier_read[kind]);
    check(&m, text, text, others_value, 64);
    asm_close(&m);
    for (unsigned n = 0; n < 3; n++) {
        start(&m, kind);
        snprintf(text, sizeof text, "%sBAR.RED.%s %s, P0\nB2R.RESULT R9, P1\nSEL R10, RZ, 0x1, !P1\n%s",
                 barrier_numbers[kind], reductions[n], operands, barrier_read[kind]);
        check(&m, text, text, expects[n], 64);
        asm_close(&m);
    }
    start(&m, kind);
    snprintf(text, sizeof text,
             "%sISETP.LT.U32.AND P1, PT, R0, 0x20, PT\n@P1 BRA `(W)\nB2R R9, 0x1\nBAR.ARV %s\nBRA `(E)\nW:\n"
             "BAR.SYNC %s\n%sE:\nNOP\n",
             barrier_numbers[kind], operands, operands, barrier_read[kind]);
    check(&m, text, text, arrived, 64);
    asm_close(&m);
    start(&m, kind);
    snprintf(text, sizeof text, "%sBAR.SCAN %s, P0\n", barrier_numbers[kind], operands);
    ck_assert_int_eq(asm_rows(&m, text, 64, in, out), ETALON_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(m.error.text, "BAR.SCAN"));
    asm_close(&m);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa flow");
    TCase *tcase = tcase_create("flow");
    tcase_set_timeout(tcase, 60);
    tcase_add_unchecked_fixture(tcase, open_isas, close_isas);
    tcase_add_loop_test(tcase, flows_as_the_rule_says, 0, (int)ET_COUNT(flows));
    tcase_add_loop_test(tcase, constants_hold_targets, 0, (int)ET_COUNT(constant_branches));
    tcase_add_loop_test(tcase, absolute_targets, 0, (int)ET_COUNT(absolute_branches));
    tcase_add_test(tcase, calls_are_counted_a_lane);
    tcase_add_loop_test(tcase, barriers_in_every_form, 0, (int)ET_COUNT(barrier_forms));
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
