/* Maxwell's instructions as they run: assembled text, lowered and executed on one warp, against plain C. The
 * cases are faults that other emulators and compilers had, and what no compiled kernel covers. */
#include "isa/interp/program.h"
#include "isa/ir/ir.h"
#include "isa/isa.h"
#include "support/isa_warp.h"
#include "support/packed.h"

#include "base/bits.h"

#include <inttypes.h>
#include <string.h>

static void open_maxwell(void)
{
    open_isa(&et_isa_maxwell);
}

EXPECT(products)
{
    out[0] = (uint32_t)((int64_t)(int32_t)A * (int32_t)B >> 32);
    out[1] = (uint32_t)((uint64_t)A * B >> 32);
    out[2] = A * B + C;
    out[3] = A * BANK_WORD + C;
}
static const char products_text[] =
    "XMAD R12, R4, R5, RZ\nXMAD.U16.S16 R13, R4, R5.H1, RZ\n"
    "XMAD.S16.S16.CSFU R14, R4.H1, R5.H1, RZ\nXMAD.S16.U16.CHI R15, R4.H1, R5, R12\n"
    "IADD3.RS R8, R15, R13, R14\n"
    "XMAD R12, R4, R5, RZ\nXMAD R13, R4, R5.H1, RZ\nXMAD R14, R4.H1, R5.H1, RZ\n"
    "XMAD.CHI R15, R4.H1, R5, R12\nIADD3.RS R9, R15, R13, R14\n"
    "XMAD.MRG R12, R4, R5.H1, RZ\nXMAD R13, R4, R5, R6\n"
    "XMAD.PSL.CBCC R10, R4.H1, R12.H1, R13\n"
    "XMAD.MRG R12, R4, c[0x0] [0x20].H1, RZ\nXMAD R13, R4, c[0x0] [0x20], R6\n"
    "XMAD.PSL.CBCC R11, R4.H1, R12.H1, R13\n";

/* PSL, MRG and H1 sit elsewhere in each form. */
EXPECT(xmad_forms)
{
    const uint32_t k = BANK_WORD;
    out[0] = (((A >> 16) * 7) << 16) + C;
    out[1] = (uint32_t)((int16_t)(A >> 16) * (int16_t)B) + k;
    out[2] = (((A & 0xffff) * (k >> 16) + C) & 0xffff) | k << 16;
    out[3] = (((A >> 16) * (k >> 16)) << 16) + C;
}
static const char xmad_forms_text[] =
    "XMAD.PSL R8, R4.H1, 0x7, R6\nXMAD.S16.S16 R9, R4.H1, R5, c[0x0][0x20]\n"
    "XMAD.MRG R10, R4, c[0x0] [0x20].H1, R6\nXMAD.PSL R11, R4.H1, c[0x0] [0x20].H1, R6\n";

EXPECT(additions_c)
{
    put64(out, wide(&A) + wide(&C));
    put64(out + 2, wide(&A) - wide(&C));
}
static const char additions_c_text[] =
    "IADD R8.CC, R4, R6\nIADD.X R9, R5, R7\nIADD R10.CC, R4, -R6\nIADD.X R11, R5, -R7\n";

/* Condition codes are of the result, though it goes to RZ. */
EXPECT(dropped_results)
{
    out[0] = (uint32_t)(((uint64_t)A + B) >> 32);
    out[1] = A & B & 0x11111111 ? 0 : ~0u;
    out[2] = (int32_t)(A ^ B) < 0 ? ~0u : 0;
    out[3] = (wide(&A) & wide(&C)) != 0;
}
static const char dropped_results_text[] =
    "IADD RZ.CC, R4, R5\nIADD.X R8, RZ, RZ\nLOP.AND R12, R4, R5\nLOP32I.AND RZ.CC, R12, 0x11111111\n"
    "CSET.EQ.AND R9, CC, PT\nLOP.XOR RZ.CC, R4, R5\nCSET.LT.AND R10, CC, PT\n"
    "LOP.AND RZ.CC, R4, R6\nLOP.AND.X.NZ P0, RZ, R5, R7\nSEL R11, RZ, 0x1, !P0\n";

EXPECT(compares_64)
{
    const int64_t x = (int64_t)wide(&A), y = (int64_t)wide(&C);
    out[0] = x < y;
    out[1] = (uint64_t)x >= (uint64_t)y;
    out[2] = x == y;
    out[3] = x > y;
}
static const char compares_64_text[] =
    "IADD RZ.CC, R4, -R6\nISETP.LT.X.AND P0, PT, R5, R7, PT\nISETP.GE.U32.X.AND P1, PT, R5, R7, PT\n"
    "ISETP.EQ.U32.X.AND P2, PT, R5, R7, PT\nISETP.GT.X.AND P3, PT, R5, R7, PT\n"
    "SEL R8, RZ, 0x1, !P0\nSEL R9, RZ, 0x1, !P1\nSEL R10, RZ, 0x1, !P2\nSEL R11, RZ, 0x1, !P3\n";

EXPECT(saturated)
{
    const int64_t sum = (int64_t)(int32_t)A + (int32_t)B, difference = (int64_t)(int32_t)A - (int32_t)B;
    out[0] = (uint32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
    out[1] = (uint32_t)(difference > INT32_MAX ? INT32_MAX : difference < INT32_MIN ? INT32_MIN : difference);
    out[2] = A + B + 1;
    out[3] = (A << 5) - B;
}
static const char saturated_text[] =
    "IADD.SAT R8, R4, R5\nIADD.SAT R9, R4, -R5\nIADD.PO R10, R4, R5\nISCADD R11, R4, -R5, 0x5\n";

EXPECT(wide_shifts)
{
    const uint64_t x = wide(&A);
    const unsigned s = C & 127, n = s < 64 ? s : 64;
    out[0] = n == 64 ? 0 : (uint32_t)(x << n >> 32);
    out[1] = n == 64 ? 0 : (uint32_t)(x >> n);
    put64(out + 2, (x << 3) + ((uint64_t)D << 32 | C));
}
static const char wide_shifts_text[] =
    "LOP32I.AND R12, R6, 0x7f\nSHF.L.U64 R8, R4, R12, R5\nSHF.R.U64 R9, R4, R12, R5\n"
    "LEA R10.CC, R4, R6, 0x3\nLEA.HI.X R11, R4, R7, R5, 0x3\n";

EXPECT(predicate_logic)
{
    const bool p0 = l & 1, p1 = l >> 1 & 1, p2 = l >> 2 & 1, first = p0 && !p1;
    out[0] = (l & 7) | (uint32_t)(first != p2) << 3 | (uint32_t)(!first != p2) << 4;
    out[1] = (p0 || p1) && !p2 ? 0x3f800000 : 0;
    out[2] = l & 7;
    out[3] = (A & ~(0x7fu << 8)) | (out[0] & 0x7f) << 8;
}
static const char predicate_logic_text[] =
    "R2P PR, R0, 0x7\nPSETP.AND.XOR P3, P4, P0, !P1, P2\nP2R R8, PR, RZ, 0x7f\n"
    "PSET.BF.OR.AND R9, P0, P1, !P2\nP2R R10, PR, RZ, 0x7\nP2R.B1 R11, PR, R4, 0x7f\n";

/* A source lane out of range leaves the lane's own value and a false predicate. */
EXPECT(shuffles)
{
    out[0] = l < 3 ? A : in[l - 3][0];
    out[1] = (l >= 3) | (l + 5 <= 31) << 1;
    out[2] = l + 5 > 31 ? A : in[l + 5][0];
    out[3] = in[(l & ~3u) | 2][1] ^ in[l ^ 1][0];
}
static const char shuffles_text[] =
    "SHFL.UP P0, R8, R4, 0x3, 0x0\nSHFL.DOWN P1, R10, R4, 0x5, 0x1f\nP2R R9, PR, RZ, 0x3\n"
    "SHFL.IDX PT, R11, R5, 0x2, 0x1c03\nSHFL.BFLY PT, R12, R4, 0x1, 0x1f\nLOP.XOR R11, R11, R12\n";

/* Of floats that hold whole numbers. */
EXPECT(floats)
{
    const int x = (int)(A & 0xff), y = (int)(B & 0xff), swizzled[] = {x + y, y - x, x - y, y};
    out[0] = (uint32_t)swizzled[l & 3];
    out[1] = (uint32_t)(3 * y + x);
    out[2] =
        (uint32_t)((l & 1 ? in[l][1] : in[l ^ 1][1]) & 0xff) - ((l & 1 ? in[l ^ 1][1] : in[l][1]) & 0xff);
    out[3] = 0x40000000;
}
static const char floats_text[] =
    "LOP32I.AND R12, R4, 0xff\nI2F.F32.U32 R12, R12\nLOP32I.AND R13, R5, 0xff\nI2F.F32.U32 R13, R13\n"
    "FSWZADD R14, R12, R13, PPNPPNZP\nF2I.S32.F32.TRUNC R8, R14\n"
    "SHFL.BFLY PT, R14, R13, 0x1, 0x1c03\nFSWZADD.FTZ R14, R14, R13, PNNPPNNP\nF2I.S32.F32.TRUNC R10, R14\n"
    /* C is the destination. */
    "FFMA32I R12, R13, 3, R12\nF2I.S32.F32.TRUNC R9, R12\n"
    /* The function has four bits: SQRT is 8. */
    "MOV32I R12, 0x40800000\nMUFU.SQRT R11, R12\n";

EXPECT(halves)
{
    const uint32_t x = A & 0x3f, y = B & 0x3f;
    out[0] = 2 * x + y;
    out[1] = 3 * y + x;
    out[2] = x + y;
    out[3] = (B & 0xffff0000) | 0x4000;
}
static const char halves_text[] =
    "LOP32I.AND R12, R4, 0x3f\nI2F.F16.U32 R12, R12\nLOP32I.AND R13, R5, 0x3f\nI2F.F16.U32 R13, R13\n"
    "PRMT R14, R12, 0x5410, R13\nPRMT R15, R13, 0x5410, R12\nHADD2.F32 R16, R12.H0_H0, R13.H0_H0\n"
    /* The upper half is written first. C is the destination. */
    "HFMA2_32I R15, R14, 3, 2, R15\nF2F.F32.F16 R12, R15\nF2F.F32.F16 R13, R15.H1\n"
    "F2I.S32.F32.TRUNC R8, R12\nF2I.S32.F32.TRUNC R9, R13\nF2I.S32.F32.TRUNC R10, R16\n"
    "MOV R11, R5\nHADD2_32I R12, RZ, 1, 1\nHADD2.MRG_H0 R11, R12, R12\n";

static uint32_t byte_difference(uint32_t x, uint32_t y, unsigned n)
{
    const int d = (int)(x >> 8 * n & 255) - (int)(y >> 8 * n & 255);
    return (uint32_t)(d < 0 ? -d : d);
}

EXPECT(video)
{
    out[0] = C;
    out[1] = (C & 0x00ffff00) | byte_difference(A, B, 0) | byte_difference(A, B, 3) << 24;
    for (unsigned n = 0; n < 4; n++)
        out[0] += byte_difference(A, B, n);
    out[2] = (uint32_t)((int8_t)(A >> 16) + (int16_t)(B >> 16) + 1);
    {
        const int64_t sum = (int64_t)(int32_t)A + (int32_t)B;
        out[3] = (C & 0xffff0000) | (uint16_t)(sum > 32767 ? 32767 : sum < -32768 ? -32768 : sum);
    }
}
static const char video_text[] = "VABSDIFF4.U8.U8.ACC R8, R4, R5, R6\nVABSDIFF4.U8.U8.XW R9, R4, R5, R6\n"
                                 "VADD.S8.S16.PO R10, R4.B2, R5.H1, RZ\nVADD.SAT.MRG_16L R11, R4, R5, R6\n";

/* ---- control flow; VOTE.ANY of PT gives the lanes that run */
EXPECT(branch)
{
    (void)in;
    out[0] = l >= 10 ? 2 : 1;
    out[1] = ~0u;
    out[2] = l >= 10 ? 0xfffffc00 : 0x3ff;
}
static const char branch_text[] = "ISETP.GE.U32.AND P0, PT, R0, 0xa, PT\nSSY `(J)\n@P0 BRA `(E)\nMOV32I R8, "
                                  "0x1\nVOTE.ANY R10, PT, PT\nSYNC\n"
                                  "E:\nMOV32I R8, 0x2\nVOTE.ANY R10, PT, PT\nSYNC\nJ:\nVOTE.ANY R9, PT, PT\n";

EXPECT(loop)
{
    (void)in;
    out[0] = l + 1;
    out[1] = ~0u;
    out[2] = (l + 1) / 2; /* odd rounds skip */
}
static const char loop_text[] =
    "PBK `(D)\nL:\nPCNT `(N)\nIADD32I R8, R8, 0x1\nISETP.GT.U32.AND P0, PT, R8, R0, PT\n"
    "LOP32I.AND R12, R8, 0x1\nISETP.NE.U32.AND P1, PT, R12, RZ, PT\n@P1 CONT\nIADD32I R10, R10, 0x1\nCONT\n"
    "N:\n@P0 BRK\nBRA `(L)\nD:\nVOTE.ANY R9, PT, PT\n";

EXPECT(calls)
{
    (void)in;
    out[0] = l < 4 ? 1 : 11;
    out[1] = ~0u;
    out[2] = 7;
    out[3] = l & 1 ? 5 : 6;
}
static const char calls_text[] = "BRA `(M)\nF:\nIADD32I R8, R8, 0x1\nISETP.LT.U32.AND P0, PT, R0, 0x4, "
                                 "PT\n@P0 RET\nIADD32I R8, R8, 0xa\nRET\n"
                                 "G:\nMOV32I R10, 0x7\nLONGJMP\nM:\nCAL `(F)\nVOTE.ANY R9, PT, PT\nPLONGJMP "
                                 "`(A)\nCAL `(G)\nMOV32I R10, 0x1\n"
                                 "A:\n"
                                 /* A return address pushed by hand, and an indirect branch: to the
                                    instruction behind it, or two further. */
                                 "PRET `(B)\nBRA `(H)\nMOV32I R10, 0x2\nH:\nRET\nB:\n"
                                 "LOP32I.AND R12, R0, 0x1\nISETP.NE.U32.AND P0, PT, R12, RZ, PT\nSSY "
                                 "`(J)\n@P0 BRA `(K)\nMOV32I R11, 0x6\nSYNC\n"
                                 "K:\nMOV32I R11, 0x5\nSYNC\nJ:\nNOP\n";

EXPECT(barrier)
{
    (void)in;
    out[0] = in[31 - l][0];
    out[1] = 0;
}
static const char barrier_text[] =
    /* RZ names barrier 0 and R0 no count: all threads. */
    "SHL R12, R0, 0x2\nSTS [R12], R4\nBAR.SYNC RZ, R0\nMOV32I R13, 0x7c\nIADD R12, R13, -R12\nLDS R8, "
    "[R12]\n";

/* An address in no window is global's. */
EXPECT(windows)
{
    const uint64_t address = l % 3 == 0 ? 0x1000000 + 4 * l : l % 3 == 1 ? 0x2000000 : BASE + 16 * l;
    out[0] = l % 3 == 2;
    out[1] = address == BASE + 16 * l ? A : 0;
}
static const char windows_text[] =
    "XMAD R12, R0, 0x5556, RZ\nSHR.U32 R12, R12, 0x10\nXMAD R12, R12, 0x3, RZ\nIADD R12, R0, -R12\n" /* lane %
                                                                                                        3 */
    "ISETP.EQ.U32.AND P1, PT, R12, 0x1, PT\nISETP.EQ.U32.AND P2, PT, R12, 0x2, PT\n"
    "SHL R12, R0, 0x2\nIADD32I R12, R12, 0x1000000\n@P1 MOV32I R12, 0x2000000\n@P2 MOV R12, R2\n"
    "LEA RZ.CC, R12, RZ\nLEA.HI.X P0, R13, R12, RZ, RZ\nSEL R8, RZ, 0x1, !P0\nLD.E R9, [R12], P0\n";

/* A byte widened to 16 bits leaves zeroes above; F2I's 16 bits are sign-extended; of two NaNs the second. */
EXPECT(narrow_results)
{
    out[0] = (uint16_t)(int8_t)A;
    out[1] = 0xffff8000;
    put64(out + 2, (wide(&C) | UINT64_C(0x7ff0000100000000)) | UINT64_C(1) << 51);
}
static const char narrow_results_text[] =
    "I2I.S16.S8 R8, R4\nMOV32I R12, 0xff800000\nF2I.S16.F32 R9, R12\nMOV R12, R4\nLOP32I.OR R13, R5, "
    "0x7ff80000\n"
    "MOV R14, R6\nLOP32I.OR R15, R7, 0x7ff00001\nDMNMX R10, R12, R14, PT\n";

/* Moves for one lane of each quad; SAM lets a quad's other lanes run until RAM. */
EXPECT(quads)
{
    const bool odd = l & 1;
    out[0] = l % 4 == 2 ? A : 0;
    out[1] = l % 4 == 0 || l % 4 == 3 ? B : 0;
    out[2] = odd ? in[l ^ 1][2] : 0;
    out[3] = odd ? 5 : 0;
}
static const char quads_text[] =
    "MOV R8, R4, 0x4\nMOV R9, R5, 0x9\nMOV R12, RZ\nLOP32I.AND R13, R0, 0x1\nISETP.EQ.AND P0, PT, R13, RZ, "
    "PT\n"
    "SSY `(join)\n@P0 SYNC\nSAM\nMOV R12, R6\nSHFL.BFLY PT, R14, R12, 0x1, 0x1f\nRAM\n"
    "MOV R10, R14\nMOV32I R11, 0x5\nSYNC\njoin:\n";

/* Lanes that exit before RAM leave their quad's other lanes their own way. */
EXPECT(quads_left)
{
    out[0] = l & 1 ? 0 : A;
    out[1] = out[2] = out[3] = 0;
}
static const char quads_left_text[] =
    "MOV R9, RZ\nMOV R10, RZ\nMOV R11, RZ\nLOP32I.AND R13, R0, 0x1\nISETP.EQ.AND P0, PT, R13, RZ, PT\n"
    "SSY `(join)\n@P0 SYNC\nSAM\n@!P0 EXIT\nMOV32I R9, 0x7\nRAM\nSYNC\njoin:\nMOV R8, R4\n";

/* An immediate's top bits are no modifiers; a half operation reads a constant as one single. */
EXPECT(immediates)
{
    out[0] = (A << 20) + 0x3ff00000;
    out[1] = (B << 3) - 1;
    out[2] = 0x3c003c00;
    out[3] = 0;
}
static const char immediates_text[] =
    "ISCADD32I R8, R4, 0x3ff00000, 0x14\nISCADD32I R9, R5, -0x1, 0x3\n"
    "HSET2.BF.LT.AND R10, RZ, c[0x0][0x24], PT\nHSET2.BF.LT.AND R11, RZ, c[0x0][0x20], PT\n";

static const struct isa_case cases[] = {
    {"immediates", immediates_text, immediates},
    {"products", products_text, products},
    {"XMAD's forms", xmad_forms_text, xmad_forms},
    {"64-bit additions", additions_c_text, additions_c},
    {"dropped results", dropped_results_text, dropped_results},
    {"64-bit compares", compares_64_text, compares_64},
    {"saturated sums", saturated_text, saturated},
    {"64-bit shifts", wide_shifts_text, wide_shifts},
    {"predicates", predicate_logic_text, predicate_logic},
    {"shuffles", shuffles_text, shuffles},
    {"floats", floats_text, floats},
    {"halves", halves_text, halves},
    {"video", video_text, video},
    {"branch", branch_text, branch},
    {"loop", loop_text, loop},
    {"calls", calls_text, calls},
    {"barrier", barrier_text, barrier},
    {"windows", windows_text, windows},
    {"quads", quads_text, quads},
    {"quads left", quads_left_text, quads_left},
    {"narrow results", narrow_results_text, narrow_results},
};

START_TEST(computes_what_plain_c_does)
{
    check_case(&cases[_i]);
}
END_TEST

static const struct {
    const char *text, *error;
} faults[] = {
    {"MOV32I R12, 0x100000\nBRX R12 0x0\n", "where no instruction is"},
    {"MOV32I R12, 0x4\nBRX R12 0x0\n", "where no instruction is"},
    {"MOV32I R12, 0x100000\nJMX R12 0x0\n", "where no instruction is"},
    {"BPT.TRAP 0x1\n", "trap"},
    {"GETCRSPTR R8\n", "GETCRSPTR"},
    {"B2R.WARP R8\n", "B2R"},
    {"SSY `(join)\nISETP.EQ.AND P0, PT, R0, RZ, PT\n@P0 SYNC\nSAM\nSYNC\njoin:\n", "for their quad"},
};

/* Nothing happens where the predicate is false. */
START_TEST(refuses_only_what_runs)
{
    uint32_t in[32][4] = {0}, out[32][4];
    struct etalon_error error = {0};
    ck_assert_msg(run("@!PT B2R.WARP R8\n", in, out, &error) == ETALON_OK, "%s", error.text);
}
END_TEST

START_TEST(names_what_cannot_run)
{
    uint32_t in[32][4] = {0}, out[32][4];
    struct etalon_error error = {0};
    ck_assert_int_ne(run(faults[_i].text, in, out, &error), ETALON_OK);
    ck_assert_msg(strstr(error.text, faults[_i].error) != NULL, "%s: %s", faults[_i].text, error.text);
}
END_TEST

/* Every line of the corpus lowers to IR that holds, or is refused by name. */
START_TEST(corpus_lowers)
{
    size_t size, refused = 0, lines = 0;
    char *text = packed_text("conformance/kernels/dis-maxwell.txt.zst", &size);
    for (char *at = text, *end; (end = strchr(at, '\n')); at = end + 1, lines++) {
        struct etalon_error error = {0};
        struct et_ir_program program = {0};
        struct et_ir_builder builder = {.program = &program};
        struct et_insn insn;
        char *rest;
        const uint64_t pc = strtoull(at, &rest, 16);
        const uint32_t control = (uint32_t)strtoul(rest, &rest, 16);
        const uint64_t word[2] = {strtoull(rest, &rest, 16), 0};
        enum etalon_status status;
        *end = 0;
        ck_assert_int_eq(et_isa_decode(isa, word, control, pc, &insn, &error), ETALON_OK);
        status = et_lower_maxwell(isa, &insn, &builder, &error);
        if (status == ETALON_UNSUPPORTED || status == ETALON_ILLEGAL_INSTRUCTION) {
            refused++;
            ck_assert_msg(strlen(error.text) > 10, "%s: \"%s\"", rest, error.text);
        } else {
            ck_assert_msg(status == ETALON_OK, "%s: %s", rest, error.text);
            ck_assert_msg(et_ir_check(&program, &error) == ETALON_OK, "%s: %s", rest, error.text);
        }
        et_ir_program_finish(&program);
    }
    ck_assert_uint_gt(lines, 32000);
    ck_assert_uint_lt(refused, 840);
    free(text);
}
END_TEST

/* nvc0's library of divisions is called by its place in the code region, wherever the caller lies. */
START_TEST(absolute_calls_count_from_the_region)
{
    static const uint64_t code[] = {0x001f8000fc0007e0, 0xe220000102000000, /* JCAL.NOINC 0x1020 */
                                    0xe30000000007000f, 0x50b0000000070f00, 0x001f8000fc0007e0,
                                    0xe32000000007000f, 0x50b0000000070f00, 0x50b0000000070f00};
    struct et_program *program;
    struct etalon_error error = {0};
    ck_assert_int_eq(et_program_create_at(&program, isa, code, sizeof code, 0, 0x1000, &error), ETALON_OK);
    ck_assert(et_program_info(program)->absolute);
    ck_assert_uint_eq(et_program_info(program)->instructions, 3); /* the call, its return, the end */
    ck_assert_uint_eq(et_program_info(program)->bytes, 0x30);
    et_program_destroy(program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("isa-maxwell");
    TCase *tcase = tcase_create("execution");
    tcase_add_unchecked_fixture(tcase, open_maxwell, close_isa);
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, computes_what_plain_c_does, 0, (int)ET_COUNT(cases));
    tcase_add_loop_test(tcase, names_what_cannot_run, 0, (int)ET_COUNT(faults));
    tcase_add_test(tcase, refuses_only_what_runs);
    tcase_add_test(tcase, corpus_lowers);
    tcase_add_test(tcase, absolute_calls_count_from_the_region);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
