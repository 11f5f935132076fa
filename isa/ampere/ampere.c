/* SM70 to SM87 as one table. Every row was compared with NVIDIA's disassembler (nvdisasm 11.8, SM86) over all its fields.
 *
 * Slots: d e destinations · p q predicate destinations · a b c sources · s t source predicates · u uniform register of an
 * address, i its offset · h memory descriptor · k constant bank · l branch target · n o immediates · m mask · x y words. */
#include "isa/isa.h"

/* clang-format off */
static const struct et_isa_table tables[] = {
    {"rnd", 2, "_ RM RP RZ"},
    {"irnd", 2, "_ FLOOR CEIL TRUNC"},
    {"rz", 2, "_ - - RZ"},
    {"trunc", 2, "_ - - TRUNC"},
    {"ftz", 2, "_ FTZ FMZ -"},
    {"bop", 2, "AND OR XOR -"},
    {"icmp", 3, "F LT EQ LE GT NE GE T"},
    {"fcmp", 4, "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T"},
    {"dcmp", 4, "MIN LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU MAX"},
    {"csm", 3, "F CSM_TA CSM_TR - T - - -"},
    {"fscale", 3, "- D8 D4 D2 _ M2 M4 M8"},
    {"mufu", 4, "COS SIN EX2 LG2 RCP RSQ RCP64H RSQ64H SQRT TANH - - - - - -"},
    {"mufuh", 4, "COS.F16 SIN.F16 EX2.F16 LG2.F16 RCP.F16 RSQ.F16 - - SQRT.F16 TANH.F16 - - - - - -"},
    {"prmt", 3, "_ F4E B4E RC8 ECL ECR RC16 -"},
    {"shf", 2, "S64 U64 S32 U32"},
    {"half", 2, "_ F32 H0_H0 H1_H1"},
    {"halfn", 3, "_ F32 H0_H0 H1_H1 H0_NH1 - - -"},
    {"byte", 2, "_ B1 B2 B3"},
    {"h01", 1, "_ H1"},
    {"h012", 2, "_ H1 - -"},
    {"low", 1, "LO HI"},
    /* Conversions: bit 2 of the type is the sign, bits 0 and 1 the width (8, 16, 32, 64). */
    {"itype", 3, "U8 U16 U32 U64 S8 S16 _ S64"},
    {"itype8", 3, "U8 U16 U32 - S8 S16 _ -"},
    {"itype6", 3, "- - - U64 - - - S64"},
    {"i2f8", 3, "U8 - - - S8 - - -"},
    {"i2f16", 3, "- U16 - - - S16 - -"},
    {"i2f32", 3, "- - U32 - - - _ -"},
    {"i2f64", 3, "- - - U64 - - - S64"},
    {"low28", 2, "- - - 28"},
    {"low24", 2, "- - 24 -"},
    {"sreuse", 1, "_ reuse"},
    {"gsize", 3, "- - - - _ 64 128 -"},
    {"gsmem", 4, "_ CONSTANT.PRIVATE CONSTANT.CTA CONSTANT.CTA.PRIVATE CONSTANT MMIO.CTA GPU.PRIVATE MMIO.CTA.PRIVATE MMIO.SM "
               "CONSTANT.SM MMIO.VC CONSTANT.SM.PRIVATE MMIO.GPU CONSTANT.VC CONSTANT.VC.PRIVATE CONSTANT.GPU"},
    {"uprmt", 1, "_ -"},
    {"csmm", 2, "- R A -"},
    {"isbxr", 2, "_ SKEW O O.SKEW"},
    {"isbxw", 2, "- - O O.SKEW"},
    {"isbww", 2, "_ - - ATTR"},
    {"dir", 1, "L R"},
    {"i2fp", 3, "- - - - U32 S32 - -"},
    {"fdst", 2, "- F16 _ F64"},
    {"fdst32", 2, "- F16 _ -"},
    {"fsrc", 2, "- F16 _ F64"},
    {"fsrc32", 2, "- F16 _ -"},
    {"sat8", 2, "U8 S8 U16 S16"},
    {"pack", 3, "U8 S8 U16 S16 - - - -"},
    {"pack2", 3, "- - - - U2 S2 U4 S4"},
    {"satr", 2, "SAT _ SATRELU -"},
    {"f2ip", 2, "U8 S8 - -"},
    {"merge", 1, "PACK_AB MERGE_C"},
    {"dp", 4, "4A.U8.U8 4A.S8.U8 4A.U8.S8 4A.S8.S8 2A.LO.U16.U8 2A.LO.S16.U8 2A.LO.U16.S8 2A.LO.S16.S8 "
              "- - - - 2A.HI.U16.U8 2A.HI.S16.U8 2A.HI.U16.S8 2A.HI.S16.S8"},
    {"shape16", 2, "1688 16816 1684 -"},
    {"shape16s", 2, "1688 16816 - 16832"},
    {"ishapes", 3, "- - 8832 8864 - 16832 16864 168128"},
    {"mmaf", 1, "F16 F32"},
    {"mmai", 2, "_ BF16 TF32 -"},
    {"ishape", 3, "8816 - 8832 - 16816 16832 16864 -"},
    {"itc", 2, "U8 S8 U4 S4"},
    {"bshape", 2, "88128 168128 168256 -"},
    {"bmma", 2, "XOR - AND -"},
    {"row", 1, "ROW -"},
    {"col", 1, "- COL"},
    {"size", 3, "U8 S8 U16 S16 _ 64 128 -"},
    {"csize", 3, "U8 S8 U16 S16 _ 64 - -"},
    {"evict", 3, "EF _ EL LU EU NA - -"},
    {"ltc", 2, "_ LTC64B LTC128B LTC256B"},
    {"mem", 4, "_ CONSTANT.PRIVATE CONSTANT.CTA CONSTANT.CTA.PRIVATE CONSTANT STRONG.SM STRONG.GPU.PRIVATE STRONG.GPU "
               "MMIO.GPU CONSTANT.SM STRONG.SYS CONSTANT.SM.PRIVATE MMIO.SYS CONSTANT.VC CONSTANT.VC.PRIVATE CONSTANT.GPU"},
    {"smem", 4, "_ CONSTANT.PRIVATE CONSTANT.CTA CONSTANT.CTA.PRIVATE STRONG.SM.PRIVATE STRONG.SM STRONG.GPU.PRIVATE "
                "STRONG.GPU MMIO.GPU CONSTANT.SM STRONG.SYS CONSTANT.SM.PRIVATE MMIO.SYS CONSTANT.VC CONSTANT.VC.PRIVATE "
                "CONSTANT.GPU"},
    {"x4", 2, "_ X4 X8 X16"},
    {"il", 2, "_ IL IS ISL"},
    {"atom", 4, "ADD MIN MAX INC DEC AND OR XOR EXCH - - - - - - -"},
    {"atomg", 4, "ADD MIN MAX INC DEC AND OR XOR EXCH SAFEADD - - - - - -"},
    {"red", 3, "ADD MIN MAX INC DEC AND OR XOR"},
    {"atype", 4, "_ S32 64 F32.FTZ.RN F16x2.RN S64 F64.RN - - - - - - - - -"},
    {"ctype", 4, "_ S32 64 - - - - - - - - - - - - -"},
    {"sutype", 3, "_ S32 U64 F32.FTZ.RN F16x2.RN S64 SD32 SD64"},
    {"suctype", 3, "_ S32 U64 - - - - -"},
    {"stype", 2, "_ S32 64 -"},
    {"cas", 2, "CAS CAST - CAST.SPIN"},
    {"qspc", 2, "G L S -"},
    {"dim", 3, "1D 2D 3D CUBE ARRAY_1D ARRAY_2D - ARRAY_CUBE"},
    {"dim4", 3, "- 2D - CUBE - ARRAY_2D - ARRAY_CUBE"},
    {"diml", 3, "1D 2D 3D - ARRAY_1D ARRAY_2D - -"},
    {"dimd", 3, "1D 2D - - ARRAY_1D ARRAY_2D - -"},
    {"dimf", 3, "- 2D 3D - - - - -"},
    {"lod", 3, "_ LZ LB LL LC LB.LC LC.FDV -"},
    {"lodl", 3, "- LZ - LL - - - -"},
    {"f16", 2, "_ F16.RN F16.RZ -"},
    {"rgba", 2, "R G B A"},
    {"texd", 1, "TEX TXD"},
    {"txq", 2, "TEX_HEADER_DIMENSION TEX_HEADER_TEXTURE_TYPE TEX_HEADER_SAMPLER_POS -"},
    {"suq", 1, "COMP_STATUS -"},
    {"sudim", 3, "1D 1D_BUFFER 1D_ARRAY 2D 2D_ARRAY 3D - -"},
    {"clamp", 2, "IGN _ TRAP -"},
    {"mask", 4, "- R - RG - - - - - - - - - - - _"},
    {"shfl", 2, "IDX UP DOWN BFLY"},
    {"vote", 2, "ALL ANY EQ -"},
    {"match", 1, "ALL ANY"},
    {"redux", 3, "_ OR XOR SUM MIN MAX - -"},
    {"membar", 2, "SC ALL _ MMIO"},
    {"scope", 3, "CTA SM GPU SYS - VC - -"},
    {"bar", 2, "SYNC ARV - SCAN"},
    {"barred", 2, "POPC AND OR -"},
    {"cctl", 4, "PF1 PF2 WB IV - RS - - - PML2 DML2 RML2 - - - -"},
    {"cctla", 4, "- - - - IVALL - - - - - - - - - - -"},
    {"cctll", 3, "PF1 PF2 WB IV - RS - -"},
    {"ccmem", 3, "_ U C I - - - -"},
    {"num", 2, "_ 2 4 -"},
    {"m88", 2, "M88 MT88 M816 M832"},
    {"movm", 2, "MT88 M832 M864 -"},
    {"ipa", 2, "PASS CONSTANT STATE -"},
    {"ipaloc", 2, "_ CENTROID - -"},
    {"attr", 2, "_ 64 96 128"},
    {"isbe", 2, "_ U16 32 -"},
    {"isbw", 2, "_ PATCH PRIM ATTR"},
    {"isbx", 2, "- - _ ATTR"},
    {"pixld", 3, "_ COVMASK CENTROID_OFFSET MY_INDEX INNER_COVERAGE - - -"},
    {"outc", 1, "EMIT EMIT_THEN_CUT"},
    {"b2r", 2, "_ RESULT WARP -"},
    {"cta", 2, "X Y Z -"},
    {"incdec", 2, "_ INC DEC -"},
    {"brau", 2, "_ U DIV CONV"},
    {"brac", 2, "- - DIV CONV"},
    {"exit", 2, "_ KEEPREFCOUNT PREEMPTED -"},
    {"tram", 2, "AB C - -"},
    {"bpt", 3, "- - PAUSE TRAP INT DRAIN PAUSE_QUIET -"},
    {"preg", 2, "_ B1 B2 B3"},
    {"breg", 6, "B0 B1 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 B12 B13 B14 B15 THREAD_STATE_ENUM.0 THREAD_STATE_ENUM.1 "
                "THREAD_STATE_ENUM.2 THREAD_STATE_ENUM.3 THREAD_STATE_ENUM.4 TRAP_RETURN_PC.LO TRAP_RETURN_PC.HI "
                "TRAP_RETURN_MASK MEXITED MKILL MACTIVE MATEXIT OPT_STACK API_CALL_DEPTH ATEXIT_PC.LO ATEXIT_PC.HI"},
    {"sb", 3, "SB0 SB1 SB2 SB3 SB4 SB5 - -"},
    {"swz", 8, 
        "PPPPPPPP PPPPPPPN PPPPPPNP PPPPPPZP PPPPPNPP PPPPPNPN PPPPPNNP PPPPPNZP PPPPNPPP PPPPNPPN "
        "PPPPNPNP PPPPNPZP PPPPZPPP PPPPZPPN PPPPZPNP PPPPZPZP PPPNPPPP PPPNPPPN PPPNPPNP PPPNPPZP "
        "PPPNPNPP PPPNPNPN PPPNPNNP PPPNPNZP PPPNNPPP PPPNNPPN PPPNNPNP PPPNNPZP PPPNZPPP PPPNZPPN "
        "PPPNZPNP PPPNZPZP PPNPPPPP PPNPPPPN PPNPPPNP PPNPPPZP PPNPPNPP PPNPPNPN PPNPPNNP PPNPPNZP "
        "PPNPNPPP PPNPNPPN PPNPNPNP PPNPNPZP PPNPZPPP PPNPZPPN PPNPZPNP PPNPZPZP PPZPPPPP PPZPPPPN "
        "PPZPPPNP PPZPPPZP PPZPPNPP PPZPPNPN PPZPPNNP PPZPPNZP PPZPNPPP PPZPNPPN PPZPNPNP PPZPNPZP "
        "PPZPZPPP PPZPZPPN PPZPZPNP PPZPZPZP PNPPPPPP PNPPPPPN PNPPPPNP PNPPPPZP PNPPPNPP PNPPPNPN "
        "PNPPPNNP PNPPPNZP PNPPNPPP PNPPNPPN PNPPNPNP PNPPNPZP PNPPZPPP PNPPZPPN PNPPZPNP PNPPZPZP "
        "PNPNPPPP PNPNPPPN PNPNPPNP PNPNPPZP PNPNPNPP PNPNPNPN PNPNPNNP PNPNPNZP PNPNNPPP PNPNNPPN "
        "PNPNNPNP PNPNNPZP PNPNZPPP PNPNZPPN PNPNZPNP PNPNZPZP PNNPPPPP PNNPPPPN PNNPPPNP PNNPPPZP "
        "PNNPPNPP PNNPPNPN PNNPPNNP PNNPPNZP PNNPNPPP PNNPNPPN PNNPNPNP PNNPNPZP PNNPZPPP PNNPZPPN "
        "PNNPZPNP PNNPZPZP PNZPPPPP PNZPPPPN PNZPPPNP PNZPPPZP PNZPPNPP PNZPPNPN PNZPPNNP PNZPPNZP "
        "PNZPNPPP PNZPNPPN PNZPNPNP PNZPNPZP PNZPZPPP PNZPZPPN PNZPZPNP PNZPZPZP NPPPPPPP NPPPPPPN "
        "NPPPPPNP NPPPPPZP NPPPPNPP NPPPPNPN NPPPPNNP NPPPPNZP NPPPNPPP NPPPNPPN NPPPNPNP NPPPNPZP "
        "NPPPZPPP NPPPZPPN NPPPZPNP NPPPZPZP NPPNPPPP NPPNPPPN NPPNPPNP NPPNPPZP NPPNPNPP NPPNPNPN "
        "NPPNPNNP NPPNPNZP NPPNNPPP NPPNNPPN NPPNNPNP NPPNNPZP NPPNZPPP NPPNZPPN NPPNZPNP NPPNZPZP "
        "NPNPPPPP NPNPPPPN NPNPPPNP NPNPPPZP NPNPPNPP NPNPPNPN NPNPPNNP NPNPPNZP NPNPNPPP NPNPNPPN "
        "NPNPNPNP NPNPNPZP NPNPZPPP NPNPZPPN NPNPZPNP NPNPZPZP NPZPPPPP NPZPPPPN NPZPPPNP NPZPPPZP "
        "NPZPPNPP NPZPPNPN NPZPPNNP NPZPPNZP NPZPNPPP NPZPNPPN NPZPNPNP NPZPNPZP NPZPZPPP NPZPZPPN "
        "NPZPZPNP NPZPZPZP ZPPPPPPP ZPPPPPPN ZPPPPPNP ZPPPPPZP ZPPPPNPP ZPPPPNPN ZPPPPNNP ZPPPPNZP "
        "ZPPPNPPP ZPPPNPPN ZPPPNPNP ZPPPNPZP ZPPPZPPP ZPPPZPPN ZPPPZPNP ZPPPZPZP ZPPNPPPP ZPPNPPPN "
        "ZPPNPPNP ZPPNPPZP ZPPNPNPP ZPPNPNPN ZPPNPNNP ZPPNPNZP ZPPNNPPP ZPPNNPPN ZPPNNPNP ZPPNNPZP "
        "ZPPNZPPP ZPPNZPPN ZPPNZPNP ZPPNZPZP ZPNPPPPP ZPNPPPPN ZPNPPPNP ZPNPPPZP ZPNPPNPP ZPNPPNPN "
        "ZPNPPNNP ZPNPPNZP ZPNPNPPP ZPNPNPPN ZPNPNPNP ZPNPNPZP ZPNPZPPP ZPNPZPPN ZPNPZPNP ZPNPZPZP "
        "ZPZPPPPP ZPZPPPPN ZPZPPPNP ZPZPPPZP ZPZPPNPP ZPZPPNPN ZPZPPNNP ZPZPPNZP ZPZPNPPP ZPZPNPPN "
        "ZPZPNPNP ZPZPNPZP ZPZPZPPP ZPZPZPPN ZPZPZPNP ZPZPZPZP"},
    {"sr", 8, 
        "SR_LANEID SR_CLOCK SR_VIRTCFG SR_VIRTID SR4 SR5 SR6 SR7 SR8 SR9 SR10 SR11 SR12 SR13 SR14 "
        "SR_ORDERING_TICKET SR_PRIM_TYPE SR_INVOCATION_ID SR_Y_DIRECTION SR_THREAD_KILL SM_SHADER_TYPE "
        "SR_DIRECTCBEWRITEADDRESSLOW SR_DIRECTCBEWRITEADDRESSHIGH SR_DIRECTCBEWRITEENABLED SR_SW_SCRATCH "
        "SR_MACHINE_ID_1 SR_MACHINE_ID_2 SR_MACHINE_ID_3 SR_AFFINITY SR_INVOCATION_INFO "
        "SR_WSCALEFACTOR_XY SR_WSCALEFACTOR_Z SR_TID SR_TID.X SR_TID.Y SR_TID.Z SR36 SR_CTAID.X "
        "SR_CTAID.Y SR_CTAID.Z SR_NTID SR_CirQueueIncrMinusOne SR_NLATC SR43 SR_SM_SPA_VERSION "
        "SR_MULTIPASSSHADERINFO SR_LWINHI SR_SWINHI SR_SWINLO SR_SWINSZ SR_SMEMSZ SR_SMEMBANKS SR_LWINLO "
        "SR_LWINSZ SR_LMEMLOSZ SR_LMEMHIOFF SR_EQMASK SR_LTMASK SR_LEMASK SR_GTMASK SR_GEMASK "
        "SR_REGALLOC SR_BARRIERALLOC SR63 SR_GLOBALERRORSTATUS SR65 SR_WARPERRORSTATUS SR_VIRTUALSMID "
        "SR_VIRTUALENGINEID SR69 SR70 SR71 SR72 SR73 SR74 SR75 SR76 SR77 SR78 SR79 SR_CLOCKLO SR_CLOCKHI "
        "SR_GLOBALTIMERLO SR_GLOBALTIMERHI SR_ESR_PC SR_ESR_PC_HI SR86 SR87 SR88 SR89 SR90 SR91 SR92 "
        "SR93 SR94 SR95 SR_HWTASKID SR_CIRCULARQUEUEENTRYINDEX SR_CIRCULARQUEUEENTRYADDRESSLOW "
        "SR_CIRCULARQUEUEENTRYADDRESSHIGH SR_PM0 SR_PM_HI0 SR_PM1 SR_PM_HI1 SR_PM2 SR_PM_HI2 SR_PM3 "
        "SR_PM_HI3 SR_PM4 SR_PM_HI4 SR_PM5 SR_PM_HI5 SR_PM6 SR_PM_HI6 SR_PM7 SR_PM_HI7 SR_SNAP_PM0 "
        "SR_SNAP_PM_HI0 SR_SNAP_PM1 SR_SNAP_PM_HI1 SR_SNAP_PM2 SR_SNAP_PM_HI2 SR_SNAP_PM3 SR_SNAP_PM_HI3 "
        "SR_SNAP_PM4 SR_SNAP_PM_HI4 SR_SNAP_PM5 SR_SNAP_PM_HI5 SR_SNAP_PM6 SR_SNAP_PM_HI6 SR_SNAP_PM7 "
        "SR_SNAP_PM_HI7 SR_VARIABLE_RATE SR_TTU_TICKET_INFO SR134 SR135 SR136 SR137 SR138 SR139 SR140 "
        "SR141 SR142 SR143 SR144 SR145 SR146 SR147 SR148 SR149 SR150 SR151 SR152 SR153 SR154 SR155 SR156 "
        "SR157 SR158 SR159 SR160 SR161 SR162 SR163 SR164 SR165 SR166 SR167 SR168 SR169 SR170 SR171 SR172 "
        "SR173 SR174 SR175 SR176 SR177 SR178 SR179 SR180 SR181 SR182 SR183 SR184 SR185 SR186 SR187 SR188 "
        "SR189 SR190 SR191 SR192 SR193 SR194 SR195 SR196 SR197 SR198 SR199 SR200 SR201 SR202 SR203 SR204 "
        "SR205 SR206 SR207 SR208 SR209 SR210 SR211 SR212 SR213 SR214 SR215 SR216 SR217 SR218 SR219 SR220 "
        "SR221 SR222 SR223 SR224 SR225 SR226 SR227 SR228 SR229 SR230 SR231 SR232 SR233 SR234 SR235 SR236 "
        "SR237 SR238 SR239 SR240 SR241 SR242 SR243 SR244 SR245 SR246 SR247 SR248 SR249 SR250 SR251 SR252 "
        "SR253 SR254 SRZ"},
};

/* Operand modifiers by the field they belong to: bits 32 to 39 own 62 and 63, bits 64 to 71 own 74 and 75. */
#define NA24 " -@72 |@73"
#define NA32 " -@63 |@62"
#define NA64 " -@75 |@74"
#define N24  " -@72"
#define N32  " -@63"
#define N64  " -@75"
#define I24  " ~@72"
#define I32  " ~@63"
#define I64  " ~@75"
#define NONE ""

#define ROW(op, text) {op, 0xfff, 0, text},
#define FLAG(op, flags, text) {op, 0xfff, flags, text},
#define CONST(slot, mods) "{" slot ":C@40:14,54:5 *4 s" mods "}"
#define BINDLESS(slot, mods) "{" slot ":CX@40:14,32:6 *4" mods "}"

/* The second source: register, immediate, constant, bindless constant, uniform register. */
#define B_REST(f, op, pre, m32, imm, post)                                          \
    FLAG(0x800 | op, f, pre "{b:" imm "}" post)                                     \
    FLAG(0xa00 | op, f, pre CONST("b", m32) post "{#91=0}")                         \
    FLAG(0xa00 | op, f, pre BINDLESS("b", m32) post "{#91=1}")                      \
    FLAG(0xc00 | op, f, pre "{b:UR@32" m32 "}" post "{#91=1}")
#define B_FORMS(op, pre, m32, imm, post) FLAG(0x200 | op, 0, pre "{b:R@32" m32 "}" post) B_REST(0, op, pre, m32, imm, post)
/* The same for instructions whose lone source b has no source a: opcode bits 8 to 11 are 3, 9, b, d. */
#define U_FORMS(op, pre, m32, imm, post)                                            \
    ROW(0x300 | op, pre "{b:R@32" m32 "}" post)                                     \
    ROW(0x900 | op, pre "{b:" imm "}" post)                                         \
    ROW(0xb00 | op, pre CONST("b", m32) post "{#91=0}")                             \
    ROW(0xb00 | op, pre BINDLESS("b", m32) post "{#91=1}")                          \
    ROW(0xd00 | op, pre "{b:UR@32" m32 "}" post "{#91=1}")
/* The third source as immediate, constant, bindless constant or uniform register; the second then sits at bit 64. */
#define C_REST(f, op, pre, m64, mid, m32, imm, post)                                \
    FLAG(0x400 | op, f, pre "{b:R@64" m64 " r1}" mid "{c:" imm "}" post)            \
    FLAG(0x600 | op, f, pre "{b:R@64" m64 " r1}" mid CONST("c", m32) post "{#91=0}") \
    FLAG(0x600 | op, f, pre "{b:R@64" m64 " r1}" mid BINDLESS("c", m32) post "{#91=1}") \
    FLAG(0xe00 | op, f, pre "{b:R@64" m64 " r1}" mid "{c:UR@32" m32 "}" post "{#91=1}")
/* Three sources, all nine forms. bm32/bm64: modifiers of b in either place; cm64/cm32: of c. */
#define ABC_FORMS(op, pre, bm32, bm64, mid, cm64, cm32, imm, post)                  \
    B_FORMS(op, pre, bm32, imm, mid "{c:R@64" cm64 "}" post)                        \
    C_REST(0, op, pre, bm64, mid, cm32, imm, post)
/* Only the second source varies. */
#define AB_FORMS(op, pre, bm32, imm, mid, cm64, post) B_FORMS(op, pre, bm32, imm, mid "{c:R@64" cm64 "}" post)
/* Two sources, the second in the place of the third (FADD, DADD, HADD2, DSETP, HSET2 ...). */
#define AC_FORMS(op, pre, reg, m32, imm, post)                                      \
    ROW(0x200 | op, pre reg post)                                                   \
    ROW(0x400 | op, pre "{b:" imm "}" post)                                         \
    ROW(0x600 | op, pre CONST("b", m32) post "{#91=0}")                             \
    ROW(0x600 | op, pre BINDLESS("b", m32) post "{#91=1}")                          \
    ROW(0xe00 | op, pre "{b:UR@32" m32 "}" post "{#91=1}")

#define HSEL32 " .half@60:2 w"
#define HSELN  " .halfn@60:2,86 w"
#define HA "{a:R@24 -@72 |@73 .half@74}"
#define PRED_SRC ", {s:P@87 !@90}"
#define SETP "{p:P@81}, {q:P@84}, "

/* IMAD as ptxas uses it for moves, sums and shifts: the same bits under other names (only without .X). */
#define IMAD_NAMES(name, op, b, c, extra) \
    FLAG(op, ET_ROW_ALIAS, name "{.!U32@73} {d:R@16}, {a:R@24}, " b ", " c "{#74=0}{?81:3=7}{?87:4=15}" extra)
#define B32 "{b:R@32}"
#define BIMM "{b:S@32:32}"
#define B64 "{b:R@64 r1}"
#define C64 "{c:R@64 -@75}"
#define A_RZ "{#24:8=255}"

#define C_NOIMM(op, pre, m32, post)                                                                     \
    ROW(0x600 | op, pre "{b:R@64 r1}, " CONST("c", m32) post "{#91=0}")                                  \
    ROW(0x600 | op, pre "{b:R@64 r1}, " BINDLESS("c", m32) post "{#91=1}")                               \
    ROW(0xe00 | op, pre "{b:R@64 r1}, {c:UR@32" m32 "}" post "{#91=1}")
#define INT3 "{d:R@16}, <{p:P@81}, ><{q:P@84}, >{a:R@24"
#define ABC_INT3(op)                                                                                     \
    B_FORMS(op, "IADD3 " INT3 N24 "}, ", N32, "S@32:32", ", {c:R@64" N64 "}{#74=0}{?77:4=15}{?87:4=15}") \
    B_FORMS(op, "IADD3.X " INT3 I24 "}, ", I32, "S@32:32", ", {c:R@64" I64 "}, {s:P@87 !@90}, {t:P@77 !@80}{#74=1}")
/* LEA: bits 72 negates a, 63 b; .HI shifts the pair c:a. */
#define LEA_ROWS(op)                                                                                     \
    B_FORMS(op, "LEA {d:R@16}, <{p:P@81}, >{a:R@24" N24 "}, ", N32, "U@32:32",                           \
            ", {n:U@75:5}{#80=0}{#73:2=0}{?64:8=255}{?87:4=15}")                                         \
    B_FORMS(op, "LEA.X {d:R@16}, <{p:P@81}, >{a:R@24" I24 "}, ", I32, "U@32:32",                         \
            ", {n:U@75:5}, {s:P@87 !@90}{#80=0}{#73:2=2}{?64:8=255}")                                    \
    B_FORMS(op, "LEA.HI {d:R@16}, <{p:P@81}, >{a:R@24" N24 "}, ", N32, "U@32:32",                        \
            ", {c:R@64}, {n:U@75:5}{#80=1}{#73:2=0}{?87:4=15}")                                          \
    C_REST(0, op, "LEA.HI {d:R@16}, <{p:P@81}, >{a:R@24" N24 "}, ", NONE, ", ", NONE, "U@32:32",         \
           ", {n:U@75:5}{#80=1}{#73:2=0}{?87:4=15}")                                                     \
    B_FORMS(op, "LEA.HI.X {d:R@16}, <{p:P@81}, >{a:R@24" I24 "}, ", I32, "U@32:32",                      \
            ", {c:R@64}, {n:U@75:5}, {s:P@87 !@90}{#80=1}{#73:2=2}")                                     \
    C_REST(0, op, "LEA.HI.X {d:R@16}, <{p:P@81}, >{a:R@24" I24 "}, ", NONE, ", ", NONE, "U@32:32",       \
           ", {n:U@75:5}, {s:P@87 !@90}{#80=1}{#73:2=2}")                                                \
    B_FORMS(op, "LEA.HI.SX32 {d:R@16}, <{p:P@81}, >{a:R@24" N24 "}, ", N32, "U@32:32",                   \
            ", {n:U@75:5}{#80=1}{#73:2=1}{?64:8=255}{?87:4=15}")                                         \
    B_FORMS(op, "LEA.HI.X.SX32 {d:R@16}, <{p:P@81}, >{a:R@24" I24 "}, ", I32, "U@32:32",                 \
            ", {n:U@75:5}, {s:P@87 !@90}{#80=1}{#73:2=3}{?64:8=255}")
#define PLOP_SIGN(op, first, rest)                                                                       \
    ROW(0x200 | op, "PLOP3.LUT {p:P@81}, {q:P@84}, " first "{b:R@32}.SIGN" rest)                         \
    ROW(0xa00 | op, "PLOP3.LUT {p:P@81}, {q:P@84}, " first CONST("b", " w") ".SIGN" rest "{#91=0}")      \
    ROW(0xa00 | op, "PLOP3.LUT {p:P@81}, {q:P@84}, " first BINDLESS("b", " w") ".SIGN" rest "{#91=1}")   \
    ROW(0xc00 | op, "PLOP3.LUT {p:P@81}, {q:P@84}, " first "{b:UR@32}.SIGN" rest "{#91=1}")
/* HFMA2: the addend's sign, bars and half selector sit at 81 to 84 in every form; b's at 60 to 63 and 86. */
#define HC "{c:R@64 -@84 |@83 .half@81}"
#define HB "{b:R@32 -@63 |@62 .halfn@60:2,86}"
#define HB64 " -@84 |@83 .halfn@81:2,86"
#define HFMA_ROWS(mods, imm, post)                                                                            \
    ROW(0x231, "HFMA2" mods " {d:R@16}, " HA ", " HB ", " HC post)                                       \
    B_REST(0, 0x31, "HFMA2" mods " {d:R@16}, " HA ", ", NA32 HSELN, imm, ", " HC post)              \
    C_REST(0, 0x31, "HFMA2" mods " {d:R@16}, " HA ", ", HB64, ", ", NA32 HSEL32, imm, post)
#define HMMA2_ROWS(mods, post)                                                                           \
    B_FORMS(0x35, "HFMA2.MMA" mods " {d:R@16}, {a:R@24" NA24 "}, ", NA32, "HH@32", ", {c:R@64 -@84 |@83}" post) \
    C_REST(0, 0x35, "HFMA2.MMA" mods " {d:R@16}, {a:R@24" NA24 "}, ", " -@84 |@83", ", ", NA32, "HH@32", post)
/* Conversions through the special-function unit; d-forms by the field that names each width. */
#define CVT_ROWS                                                                                         \
    U_FORMS(0x04, "F2F{.FTZ@80}.F32.F16{.rnd@78} {d:R@16}, ", NA32 " .h01@60 w", "H@32", "{#75:3=2}{#84:2=1}")       \
    U_FORMS(0x04, "F2F{.FTZ@80}.F16.F32{.rnd@78} {d:R@16}, ", NA32, "F@32", "{#75:3=1}{#84:2=2}")       \
    U_FORMS(0x04, "F2F{.FTZ@80}.BF16.F32{.rnd@78} {d:R@16}, ", NA32, "F@32", "{#75:3=4}{#84:2=2}")      \
    U_FORMS(0x10, "F2F{.FTZ@80}.F64.F16{.rnd@78} {d:R@16}, ", NA32 " .h01@60 w", "H@32", "{#75:3=3}{#84:2=1}")       \
    U_FORMS(0x10, "F2F{.FTZ@80}.F64.F32{.rnd@78} {d:R@16}, ", NA32, "F@32", "{#75:3=3}{#84:2=2}")       \
    U_FORMS(0x10, "F2F{.FTZ@80}.F16.F64{.rnd@78} {d:R@16}, ", NA32, "D@32", "{#75:3=1}{#84:2=3}")       \
    U_FORMS(0x10, "F2F{.FTZ@80}.F32.F64{.rnd@78} {d:R@16}, ", NA32, "D@32", "{#75:3=2}{#84:2=3}")       \
    U_FORMS(0x05, "F2I{.FTZ@80}{.itype=itype8@75:2,72}.F16{.irnd@78}{.NTZ@77} {d:R@16}, ", NA32 " .h01@60 w", "H@32", "{#84:2=1}") \
    U_FORMS(0x05, "F2I{.FTZ@80}{.itype=itype8@75:2,72}{.irnd@78}{.NTZ@77} {d:R@16}, ", NA32, "F@32", "{#84:2=2}") \
    U_FORMS(0x11, "F2I{.FTZ@80}{.itype=itype6@75:2,72}.F16{.irnd@78}{.NTZ@77} {d:R@16}, ", NA32 " .h01@60 w", "H@32", "{#84:2=1}") \
    U_FORMS(0x11, "F2I{.FTZ@80}{.itype=itype6@75:2,72}{.irnd@78}{.NTZ@77} {d:R@16}, ", NA32, "F@32", "{#84:2=2}") \
    U_FORMS(0x11, "F2I{.FTZ@80}{.itype@75:2,72}.F64{.irnd@78}{.NTZ@77} {d:R@16}, ", NA32, "D@32", "{#84:2=3}") \
    U_FORMS(0x06, "I2F{.fdst=fdst32@75}{.itype=i2f8@84:2,74}{.rnd@78} {d:R@16}, ", " .byte@60 w", "S@32:32", "{#84:2=0}") \
    U_FORMS(0x06, "I2F{.fdst=fdst32@75}{.itype=i2f16@84:2,74}{.rnd@78} {d:R@16}, ", " .h012@60 w", "S@32:32", "{#84:2=1}") \
    U_FORMS(0x06, "I2F{.fdst=fdst32@75}{.itype=i2f32@84:2,74}{.rnd@78} {d:R@16}, ", NONE, "S@32:32", "{#84:2=2}") \
    U_FORMS(0x12, "I2F.F64{.itype=i2f8@84:2,74}{.rnd@78} {d:R@16}, ", " .byte@60 w", "S@32:32", "{#84:2=0}{#75:2=3}") \
    U_FORMS(0x12, "I2F.F64{.itype=i2f16@84:2,74}{.rnd@78} {d:R@16}, ", " .h012@60 w", "S@32:32", "{#84:2=1}{#75:2=3}") \
    U_FORMS(0x12, "I2F.F64{.itype=i2f32@84:2,74}{.rnd@78} {d:R@16}, ", NONE, "S@32:32", "{#84:2=2}{#75:2=3}") \
    U_FORMS(0x12, "I2F{.fdst@75}{.itype=i2f64@84:2,74}{.rnd@78} {d:R@16}, ", NONE, "S@32:32", "{#84:2=3}") \
    U_FORMS(0x07, "FRND{.FTZ@80}{.fdst=fdst32@75}{.irnd@78} {d:R@16}, ", NA32 " .h01@60 w", "H@32", "{#75:2=1}{#84:2=1}") \
    U_FORMS(0x07, "FRND{.FTZ@80}{.fdst=fdst32@75}{.irnd@78} {d:R@16}, ", NA32, "F@32", "{#75:2=2}{#84:2=2}") \
    U_FORMS(0x13, "FRND{.FTZ@80}.F64{.irnd@78} {d:R@16}, ", NA32, "D@32", "{#75:2=3}{#84:2=3}")

/* A generic or global address: plain; with a hidden descriptor; with a shown one; with a uniform base. */
#define G_PLAIN "[{a:R@24 z}{i:S@40:24 +}]"
#define G_WIDE "[{a:R@24 z}{i:S@32:32 +}]"
#define G_64 "[{a:R@24}.64{i:S@40:24 +}]"
#define DESC(pos) "desc[{h:UR@" pos "}]" G_64
#define HIDDEN(pos) G_64 "{h:UR@" pos " h}"
#define G_U64(pos) "[{a:R@24}.64{u:UR@" pos " + k}{i:S@40:24 +}]"
#define G_U32(pos) "[{a:R@24}.U32{u:UR@" pos " + k}{i:S@40:24 +}]"
#define G_U(pos) "[{u:UR@" pos "}{i:S@40:24 +}]{#24:8=255}"
#define S_PLAIN(x) "[{a:R@24" x " z}{i:S@40:24 +}]"
#define S_UNI(x, pos) "[{a:R@24" x " z}{u:UR@" pos " + k}{i:S@40:24 +}]"
/* All global forms of a load or store: pre, address, post; the descriptor's register at pos; bits that select the form. */
#define GLOBAL(op, pre, post, pos, e, wide, bare, desc, tail)                                            \
    ROW(op, pre HIDDEN(pos) post "{#91=1}{#" e "=1}{#" wide "=1}{#" bare "=1}" desc "=0}" tail)          \
    ROW(op, pre DESC(pos) post "{#91=1}{#" e "=1}{#" wide "=1}{#" bare "=1}" desc "=1}" tail)            \
    ROW(op, pre G_U64(pos) post "{#91=1}{#" e "=1}{#" wide "=1}{#" bare "=0}" desc "=0}" tail)           \
    ROW(op, pre G_U32(pos) post "{#91=1}{#" wide "=0}{#" bare "=0}" desc "=0}" tail)                     \
    FLAG(op, ET_ROW_ALIAS, pre G_U(pos) post "{#91=1}{#" e "=1}{#" wide "=1}{#" bare "=0}" desc "=0}" tail) \
    FLAG(op, ET_ROW_ALIAS, pre G_U(pos) post "{#91=1}{#" wide "=0}{#" bare "=0}" desc "=0}" tail)

#define LDMODS "{.E@72}{.evict@84}{.ltc@68}{.size@73}{.mem@77} "
#define LDPRED "<, {t:P@64 c !@67}>"
#define STMODS "{.E@72}{.evict@84}{.size@73}{.smem=smem@77} "
#define ATMODS "{.E@72}{.op=atom@87}"
/* clang-format on */


/* Uniform instructions: second source as uniform register or immediate; third likewise. */
#define UROW(op, text) FLAG(op, ET_ROW_UNIFORM, text)
#define UNI_B(op, pre, m32, imm, post)                      \
    UROW(0x200 | op, pre "{b:UR@32" m32 "}" post "{#91=1}") \
    UROW(0x800 | op, pre "{b:" imm "}" post "{#91=1}")
#define UNI_BC(op, pre, m32, imm, m64, post)                                     \
    UNI_B(op, pre, m32, imm, ", {c:UR@64" m64 "}" post)                          \
    UROW(0x400 | op, pre "{b:UR@64}, {c:" imm "}" post "{#91=1}")
#define UINT3 "{d:UR@16}, <{p:UP@81}, ><{q:UP@84}, >{a:UR@24"
#define ULEA "{d:UR@16}, <{p:UP@81}, >{a:UR@24"
#define ULEA_ROWS                                                                                                     \
    UNI_B(0x91, "ULEA " ULEA N24 "}, ", N32, "U@32:32", ", {n:U@75:5}{#80=0}{#73:2=0}{?64:8=63}{?87:4=15}")           \
    UNI_B(0x91, "ULEA.X " ULEA I24 "}, ", I32, "U@32:32", ", {n:U@75:5}, {s:UP@87 !@90}{#80=0}{#73:2=2}{?64:8=63}")   \
    UNI_B(0x91, "ULEA.HI " ULEA N24 "}, ", N32, "U@32:32", ", {c:UR@64}, {n:U@75:5}{#80=1}{#73:2=0}{?87:4=15}")       \
    UROW(0x491, "ULEA.HI " ULEA N24 "}, {b:UR@64}, {c:U@32:32}, {n:U@75:5}{#91=1}{#80=1}{#73:2=0}{?87:4=15}")         \
    UNI_B(0x91, "ULEA.HI.X " ULEA I24 "}, ", I32, "U@32:32", ", {c:UR@64}, {n:U@75:5}, {s:UP@87 !@90}{#80=1}{#73:2=2}") \
    UROW(0x491, "ULEA.HI.X " ULEA I24 "}, {b:UR@64}, {c:U@32:32}, {n:U@75:5}, {s:UP@87 !@90}{#91=1}{#80=1}{#73:2=2}") \
    UNI_B(0x91, "ULEA.HI.SX32 " ULEA N24 "}, ", N32, "U@32:32", ", {n:U@75:5}{#80=1}{#73:2=1}{?64:8=63}{?87:4=15}")   \
    UNI_B(0x91, "ULEA.HI.X.SX32 " ULEA I24 "}, ", I32, "U@32:32", ", {n:U@75:5}, {s:UP@87 !@90}{#80=1}{#73:2=3}{?64:8=63}")

#define S_PLAIN2 "[{a:R@16 z}{i:S@44:20 +}]"
#define S_UNI2 "[{a:R@16 z}{u:UR@64 + k}{i:S@44:20 +}]"
#define GS_64 "[{b:R@24}.64{j:S@32:12 +}]"
#define GSMODS ".E{.!BYPASS@81}{.evict@84}{.ltc@71}{.size=gsize@73}{.ZFILL@82}{.mem=gsmem@77} "
#define GSPRED "<, {t:P@87 !@90}>"
#define ATGMODS "{.E@72}{.op=atomg@87}"
#define ATTAIL "{.evict@84}{.atype@73}{.smem=smem@77}"
#define ATOMIC(op, pre, post, wide) GLOBAL(op, pre, post, "64", "72", wide, "71", "{#101", "")
#define BAR_ROWS(op, sync, arrive)                                                                     \
    ROW(op, "BAR.SYNC{.DEFER_BLOCKING@80} " sync "{#77:3=0}")                                          \
    ROW(op, "BAR.ARV{.DEFER_BLOCKING@80} " arrive "{#77:3=1}")                                         \
    ROW(op, "BAR.RED{.barred@74}{.DEFER_BLOCKING@80} " sync ", {s:P@87 !@90}{#77:3=2}")                \
    ROW(op, "BAR.SCAN{.DEFER_BLOCKING@80} " sync ", {s:P@87 !@90}{#77:3=3}")

#define TEXMODS "{.f16@79}{.lod@87}{.AOFFI@76}{.DC@78}{.evict@84}{.NDV@77}{.NODEP@90} "
#define TLD4MODS "{.f16@79}{.AOFFI@76}{.PTP@77}{.DC@78}{.evict@84}{.NODEP@90} "
#define TLDMODS "{.f16@79}{.lod=lodl@87}{.AOFFI@76}{.evict@84}{.MS@78}{.CL@77}{.NODEP@90} "
#define TXDMODS "{.f16@79}{.LC@87}{.AOFFI@76}{.evict@84}{.NODEP@90} "
#define TEXOPS "<{p:P@81}, >{d:R@64}, {e:R@16}, {a:R@24}, "
#define TEX_ROWS(bound, bindless, name, scr, mods, dim, b)                                                            \
    ROW(0xa00 | bound, name scr mods TEXOPS b "{k:U@54:5}, {n:U@40:14}, {x:T." dim "@61}<, {m:U@72:4 =15}>{#59=0}")         \
    ROW(0x200 | bindless, name scr ".B" mods TEXOPS b "{x:T." dim "@61}<, {m:U@72:4 =15}>{#59=1}")                          \
    ROW(0xe00 | bound, name scr mods TEXOPS b "{u:UR@40}, {n:U@46:8}, {x:T." dim "@61}<, {m:U@72:4 =15}>{#91=1}")
#define SURF(pre, bindless, bound, split, uniform)                        \
    ROW(bindless, pre "{c:R@64}")                                         \
    ROW(bound, pre "{k:U@54:5}, {n:U@40:14}")                             \
    ROW(split, pre "{k:U@54:5}, {n:U@40:6}, {o:U@46:8}")                   \
    ROW(uniform, pre "{u:UR@40}, {o:U@46:8}{#91=1}")

static const struct et_isa_row rows[] = {
    /* clang-format off */
    /* Moves and selection */
    B_FORMS(0x02, "MOV {d:R@16}, ", NONE, "U@32:32", "<, {m:U@72:4 =15}>")
    B_FORMS(0x03, "P2R{.preg@76} {d:R@16}, PR, {a:R@24}, ", NONE, "S@32:32", "")
    B_FORMS(0x04, "R2P PR, {a:R@24 .preg@76}, ", NONE, "U@32:32", "")
    B_FORMS(0x07, "SEL {d:R@16}, {a:R@24}, ", NONE, "U@32:32", PRED_SRC)
    B_FORMS(0x08, "FSEL{.FTZ@80} {d:R@16}, {a:R@24" NA24 "}, ", NA32, "F@32", PRED_SRC)
    AB_FORMS(0x16, "PRMT{.prmt@72} {d:R@16}, {a:R@24}, ", NONE, "U@32:32", ", ", NONE, "")
    C_REST(0, 0x16, "PRMT{.prmt@72} {d:R@16}, {a:R@24}, ", NONE, ", ", NONE, "U@32:32", "")
    ROW(0x805, "CS2R{.!32@80} {d:R@16}, {x:T.sr@72}")
    ROW(0x919, "S2R {d:R@16}, {x:T.sr@72}")
    FLAG(0x9c3, ET_ROW_UNIFORM, "S2UR {d:UR@16}, {x:T.sr@72}")
    ROW(0x3c2, "R2UR <{p:P@81}, >{d:UR@16}, {a:R@24}{#84=0}")
    ROW(0x3c2, "R2UR.OR {p:P@81}, {d:UR@16}, {a:R@24}{#84=1}")

    /* Integer */
    ABC_INT3(0x10)
    LEA_ROWS(0x11)
    AB_FORMS(0x12, "LOP3.LUT{.PAND@80} <{p:P@81}, >{d:R@16}, {a:R@24}, ", NONE, "U@32:32", ", ", NONE, ", {n:U@72:8}" PRED_SRC)
    B_FORMS(0x13, "IABS {d:R@16}, ", NONE, "S@32:32", "")
    ABC_FORMS(0x14, "VABSDIFF{.!U32@73} {d:R@16}, <{p:P@81}, >{a:R@24}, ", NONE, NONE, ", ", NONE, NONE, "U@32:32", "")
    ABC_FORMS(0x15, "VABSDIFF4{.!U8@73}{.ACC@75} {d:R@16}, <{p:P@81}, >{a:R@24}, ", NONE, NONE, ", ", NONE, NONE, "U@32:32", "")
    B_FORMS(0x17, "IMNMX{.!U32@73} {d:R@16}, {a:R@24}, ", NONE, "S@32:32", PRED_SRC)
    ABC_FORMS(0x19, "SHF{.dir@76}{.W@75}{.shf@73}{.HI@80} {d:R@16}, {a:R@24}, ", NONE, NONE, ", ", NONE, NONE, "U@32:32", "")
    B_FORMS(0x1a, "SGXT{.W@75}{.!U32@73} {d:R@16}, {a:R@24}, ", NONE, "U@32:32", "")
    B_FORMS(0x1b, "BMSK{.W@75} {d:R@16}, {a:R@24}, ", NONE, "U@32:32", "")
    B_FORMS(0x0c, "ISETP{.icmp@76}{.!U32@73}{.bop@74} {p:P@81}, {q:P@84}, {a:R@24}, ", NONE, "S@32:32",
            ", {s:P@87 !@90}{?68:4=7}{#72=0}")
    B_FORMS(0x0c, "ISETP{.icmp@76}{.!U32@73}{.bop@74}.EX {p:P@81}, {q:P@84}, {a:R@24}, ", NONE, "S@32:32",
            ", {s:P@87 !@90}, {t:P@68 !@71}{#72=1}")
    ROW(0x81c, "PLOP3.LUT {p:P@81}, {q:P@84}, {s:P@87 !@90}, {t:P@77 !@80}, {r:P@68 !@71}, {n:U@64:3,72:5}, {o:U@16:8}{#67=0}")
    ROW(0x81c, "PLOP3.LUT {p:P@81}, {q:P@84}, {s:P@87 !@90}, {t:P@77 !@80}, {r:UP@68 !@71}, {n:U@64:3,72:5}, {o:U@16:8}{#67=1}")
    PLOP_SIGN(0x1d, "{s:P@87 !@90}, ", ", {r:P@68 !@71}, {n:U@72:8}, {o:U@16:8}")
    PLOP_SIGN(0x1e, "{s:P@87 !@90}, ", ", {c:R@64}.SIGN, {n:U@72:8}, {o:U@16:8}")
    PLOP_SIGN(0x1f, "{a:R@24}.SIGN, ", ", {c:R@64}.SIGN, {n:U@72:8}, {o:U@16:8}")
    /* IMAD and its other names */
    IMAD_NAMES("IMAD.MOV", 0x224, B32, C64, A_RZ)
    IMAD_NAMES("IMAD.MOV", 0x224, B32, C64, "{#32:8=255}")
    IMAD_NAMES("IMAD.MOV", 0x824, BIMM, C64, A_RZ)
    IMAD_NAMES("IMAD.MOV", 0x824, BIMM, C64, "{#32:32=0}")
    IMAD_NAMES("IMAD.MOV", 0x824, BIMM, C64, "{#32:32=1}{#64:8=255}")
    IMAD_NAMES("IMAD.MOV", 0x424, B64, "{c:S@32:32}", A_RZ)
    IMAD_NAMES("IMAD.MOV", 0x424, B64, "{c:S@32:32}", "{#64:8=255}")
    IMAD_NAMES("IMAD.MOV", 0x624, B64, CONST("c", N32), A_RZ "{#91=0}")
    IMAD_NAMES("IMAD.MOV", 0x624, B64, CONST("c", N32), "{#64:8=255}{#91=0}")
    IMAD_NAMES("IMAD.MOV", 0xa24, CONST("b", NONE), C64, A_RZ "{#91=0}")
    IMAD_NAMES("IMAD.IADD", 0x824, BIMM, C64, "{#32:32=1}")
    IMAD_NAMES("IMAD", 0x824, BIMM, C64, "{#32:32=65536}{#64:8=255}")
    IMAD_NAMES("IMAD", 0x824, BIMM, C64, "{#32:32=2147483648}{#64:8=255}")
    IMAD_NAMES("IMAD.SHL", 0x824, "{b:S@32:32 ^}", C64, "{#64:8=255}")
    ABC_FORMS(0x24, "IMAD{.!U32@73} {d:R@16}, {a:R@24}, ", NONE, NONE, ", ", N64, N32, "S@32:32", "{#74=0}{?81:3=7}{?87:4=15}")
    ABC_FORMS(0x24, "IMAD{.!U32@73}.X {d:R@16}, {a:R@24}, ", NONE, NONE, ", ", I64, I32, "S@32:32", PRED_SRC "{#74=1}{?81:3=7}")
    AB_FORMS(0x25, "IMAD.WIDE{.!U32@73} {d:R@16}, <{p:P@81}, >{a:R@24}, ", NONE, "S@32:32", ", ", N64, "{#74=0}{?87:4=15}")
    AB_FORMS(0x25, "IMAD.WIDE{.!U32@73}.X {d:R@16}, <{p:P@81}, >{a:R@24}, ", NONE, "S@32:32", ", ", I64, PRED_SRC "{#74=1}")
    C_NOIMM(0x25, "IMAD.WIDE{.!U32@73} {d:R@16}, <{p:P@81}, >{a:R@24}, ", N32, "{#74=0}{?87:4=15}")
    C_NOIMM(0x25, "IMAD.WIDE{.!U32@73}.X {d:R@16}, <{p:P@81}, >{a:R@24}, ", I32, PRED_SRC "{#74=1}")
    AB_FORMS(0x27, "IMAD.HI{.!U32@73} {d:R@16}, <{p:P@81}, >{a:R@24}, ", NONE, "S@32:32", ", ", N64, "{#74=0}{?87:4=15}")
    AB_FORMS(0x27, "IMAD.HI{.!U32@73}.X {d:R@16}, <{p:P@81}, >{a:R@24}, ", NONE, "S@32:32", ", ", I64, PRED_SRC "{#74=1}")
    C_NOIMM(0x27, "IMAD.HI{.!U32@73} {d:R@16}, <{p:P@81}, >{a:R@24}, ", N32, "{#74=0}{?87:4=15}")
    C_NOIMM(0x27, "IMAD.HI{.!U32@73}.X {d:R@16}, <{p:P@81}, >{a:R@24}, ", I32, PRED_SRC "{#74=1}")
    ROW(0x226, "IDP{.dp@73:2,76:2} {d:R@16}, {a:R@24}, {b:R@32}, {c:R@64 -@75}")
    ROW(0xa26, "IDP{.dp@73:2,76:2} {d:R@16}, {a:R@24}, " CONST("b", NONE) ", {c:R@64 -@75}{#91=0}")
    ROW(0xa26, "IDP{.dp@73:2,76:2} {d:R@16}, {a:R@24}, " BINDLESS("b", NONE) ", {c:R@64 -@75}{#91=1}")
    ROW(0xc26, "IDP{.dp@73:2,76:2} {d:R@16}, {a:R@24}, {b:UR@32}, {c:R@64 -@75}{#91=1}")
    U_FORMS(0x00, "FLO{.!U32@73}{.SH@74} {d:R@16}, <{p:P@81}, >", I32, "U@32:32", "")
    U_FORMS(0x01, "BREV {d:R@16}, ", NONE, "U@32:32", "")
    U_FORMS(0x09, "POPC {d:R@16}, ", I32, "U@32:32", "")

    /* Single precision */
    B_FORMS(0x09, "FMNMX{.FTZ@80}{.NAN@81}{.XORSIGN@82} {d:R@16}, {a:R@24" NA24 "}, ", NA32, "F@32", PRED_SRC)
    B_FORMS(0x0a, "FSET.BF{.fcmp@76}{.FTZ@80}{.bop@74} {d:R@16}, {a:R@24" NA24 "}, ", NA32, "F@32", PRED_SRC)
    B_FORMS(0x0b, "FSETP{.fcmp@76}{.FTZ@80}{.bop@74} " SETP "{a:R@24" NA24 "}, ", NA32, "F@32", PRED_SRC)
    B_FORMS(0x20, "FMUL{.ftz@80:1,76}{.fscale@84}{.rnd@78}{.SAT@77} {d:R@16}, {a:R@24" NA24 "}, ", NA32, "F@32", "")
    AC_FORMS(0x21, "FADD{.FTZ@80}{.rnd@78}{.SAT@77} {d:R@16}, {a:R@24" NA24 "}, ", "{b:R@32" NA32 " r2}", NA32, "F@32", "")
    ROW(0x822, "FSWZADD{.FTZ@80}{.rnd@78}{.NDV@77} {d:R@16}, {a:R@24}, {c:R@64}, {x:T.swz@32}")
    ABC_FORMS(0x23, "FFMA{.ftz@80:1,76}{.rnd@78}{.SAT@77} {d:R@16}, {a:R@24" NA24 "}, ", NA32, NA64, ", ", NA64, NA32, "F@32", "")
    U_FORMS(0x02, "FCHK {p:P@81}, {a:R@24" NA24 "}, ", NA32, "F@32", "")
    U_FORMS(0x08, "MUFU{.mufu@74} {d:R@16}, ", NA32, "F@32", "{#73=0}")
    FLAG(0x908, ET_ROW_ALIAS, "MUFU{.mufu@74} {d:R@16}, {b:D@32}{#73=0}{#75:3=3}")
    U_FORMS(0x08, "MUFU{.mufu=mufuh@74} {d:R@16}, ", NA32 " .h01@60 w", "H@32", "{#73=1}")

    /* Double precision */
    B_FORMS(0x28, "DMUL{.rnd@78} {d:R@16}, {a:R@24" NA24 "}, ", NA32, "D@32", "")
    AC_FORMS(0x29, "DADD{.rnd@78} {d:R@16}, {a:R@24" NA24 "}, ", "{b:R@64" NA64 "}", NA32, "D@32", "")
    AC_FORMS(0x2a, "DSETP{.dcmp@76}{.bop@74} " SETP "{a:R@24" NA24 "}, ", "{b:R@32" NA32 " r2}", NA32, "D@32", PRED_SRC)
    ABC_FORMS(0x2b, "DFMA{.rnd@78} {d:R@16}, {a:R@24" NA24 "}, ", NA32, NA64, ", ", NA64, NA32, "D@32", "")

    /* Half precision */
    ROW(0x230, "HADD2{.F32@78}{.FTZ@80}{.SAT@77} {d:R@16}, " HA ", {b:R@32" NA32 HSEL32 " r2}")
    ROW(0x430, "HADD2{.FTZ@80}{.SAT@77} {d:R@16}, " HA ", {b:HH@32}{#78=0}")
    ROW(0x430, "HADD2.F32{.FTZ@80}{.SAT@77} {d:R@16}, " HA ", {b:H@32:16}{?48:16}{#78=1}")
    ROW(0x630, "HADD2{.F32@78}{.FTZ@80}{.SAT@77} {d:R@16}, " HA ", " CONST("b", NA32 HSEL32) "{#91=0}")
    ROW(0x630, "HADD2{.F32@78}{.FTZ@80}{.SAT@77} {d:R@16}, " HA ", " BINDLESS("b", NA32 HSEL32) "{#91=1}")
    ROW(0xe30, "HADD2{.F32@78}{.FTZ@80}{.SAT@77} {d:R@16}, " HA ", {b:UR@32" NA32 HSEL32 "}{#91=1}")
    HFMA_ROWS("{.F32@78}{.ftz@80:1,76}{.SAT@77}", "HH@32", "{#85=0}{#79=0}")
    HFMA_ROWS(".BF16_V2{.ftz@80:1,76}{.SAT@77}", "BB@32", "{#85=1}{#78=0}{#79=0}")
    HFMA_ROWS("{.F32@78}{.ftz@80:1,76}.RELU", "HH@32", "<, {s:P@87 !@90}>{#85=0}{#79=1}{#77=0}")
    HFMA_ROWS(".BF16_V2{.ftz@80:1,76}.RELU", "BB@32", "<, {s:P@87 !@90}>{#85=1}{#78=0}{#79=1}{#77=0}")
    B_FORMS(0x32, "HMUL2{.F32@78}{.ftz@80:1,76}{.SAT@77} {d:R@16}, " HA ", ", NA32 HSEL32, "HH@32", "")
    AC_FORMS(0x33, "HSET2{.BF@71}{.fcmp@76}{.FTZ@80}{.bop@69} {d:R@16}, " HA ", ", "{b:R@32" NA32 HSEL32 " r2}", NA32 HSEL32, "HH@32", PRED_SRC)
    AC_FORMS(0x34, "HSETP2{.fcmp@76}{.H_AND@71}{.FTZ@80}{.bop@69} " SETP HA ", ", "{b:R@32" NA32 HSEL32 " r2}", NA32 HSEL32, "HH@32", PRED_SRC)
    HMMA2_ROWS("{.ftz@80:1,76}{.SAT@77}", "{#79=0}")
    HMMA2_ROWS("{.ftz@80:1,76}.RELU", "<, {s:P@87 !@90}>{#79=1}{#77=0}")
    B_FORMS(0x40, "HMNMX2{.F32@78}{.FTZ@80}{.NAN@81}{.XORSIGN@82} {d:R@16}, " HA ", ", NA32 HSEL32, "HH@32", PRED_SRC "{#85=0}")
    B_FORMS(0x40, "HMNMX2.BF16_V2{.FTZ@80}{.NAN@81}{.XORSIGN@82} {d:R@16}, " HA ", ", NA32 HSEL32, "BB@32", PRED_SRC "{#85=1}{#78=0}")

    /* Conversions */
    B_FORMS(0x38, "I2I{.sat8@76}.S32.SAT {d:R@16}, ", NONE, "S@32:32", "")
    AB_FORMS(0x39, "I2IP{.pack@76}.S32{.satr@74} {d:R@16}, {a:R@24}, ", NONE, "S@32:32", ", ", " .h012@72", "{#78=0}")
    AB_FORMS(0x39, "I2IP{.pack=pack2@76}.S32{.satr@74} {d:R@16}, {a:R@24}, ", NONE, "S@32:32", ", ", " .low28@72", "{#77:2=2}")
    AB_FORMS(0x39, "I2IP{.pack=pack2@76}.S32{.satr@74} {d:R@16}, {a:R@24}, ", NONE, "S@32:32", ", ", " .low24@72", "{#77:2=3}")
    B_FORMS(0x3e, "F2FP{.SATFINITE@77}{.RELU@75}{.BF16@76}.PACK_AB{.rz@79} {d:R@16}, {a:R@24" NONE "}, ", NONE, "F@32", "{#78=0}{?64:8=255}")
    C_REST(0, 0x3e, "F2FP{.SATFINITE@77}{.RELU@75}{.BF16@76}.MERGE_C{.rz@79} {d:R@16}, ", NONE, ", ", " w", "F@32", "{#78=1}{?24:8=255}")
    B_FORMS(0x3e, "F2FP{.SATFINITE@77}{.RELU@75}{.BF16@76}.MERGE_C{.rz@79} {d:R@16}, ", NONE, "F@32", ", {c:R@64}{#78=1}{?24:8=255}")
    ABC_FORMS(0x43, "F2IP{.f2ip@76}.F32{.trunc@78}{.NTZ@74}{.RELU@75} {d:R@16}, {a:R@24}, ", NONE, NONE, ", ", " .h01@72", " .h01@72 w", "F@32", "")
    B_FORMS(0x45, "I2FP.F32{.i2fp@74:1,84:2}{.rz@78} {d:R@16}, ", NONE, "S@32:32", "{#75:2=2}")
    CVT_ROWS

    /* Uniform datapath */
    UNI_B(0x87, "USEL {d:UR@16}, {a:UR@24}, ", NONE, "U@32:32", ", {s:UP@87 !@90}")
    UNI_B(0x8c, "UISETP{.icmp@76}{.!U32@73}{.bop@74} {p:UP@81}, {q:UP@84}, {a:UR@24}, ", NONE, "S@32:32",
          ", {s:UP@87 !@90}{?68:4=7}{#72=0}")
    UNI_B(0x8c, "UISETP{.icmp@76}{.!U32@73}{.bop@74}.EX {p:UP@81}, {q:UP@84}, {a:UR@24}, ", NONE, "S@32:32",
          ", {s:UP@87 !@90}, {t:UP@68 !@71}{#72=1}")
    UNI_B(0x90, "UIADD3 " UINT3 N24 "}, ", N32, "S@32:32", ", {c:UR@64" N64 "}{#74=0}{?77:4=15}{?87:4=15}")
    UNI_B(0x90, "UIADD3.X " UINT3 I24 "}, ", I32, "S@32:32", ", {c:UR@64" I64 "}, {s:UP@87 !@90}, {t:UP@77 !@80}{#74=1}")
    UNI_B(0x97, "UIADD3.64 " UINT3 N24 "}, ", N32, "S@32:32", ", {c:UR@64" N64 "}{#74=0}{?77:4=15}{?87:4=15}")
    UNI_B(0x97, "UIADD3.64.X " UINT3 I24 "}, ", I32, "S@32:32", ", {c:UR@64" I64 "}, {s:UP@87 !@90}, {t:UP@77 !@80}{#74=1}")
    ULEA_ROWS
    UNI_B(0x92, "ULOP3.LUT{.PAND@80} <{p:UP@81}, >{d:UR@16}, {a:UR@24}, ", NONE, "U@32:32",
          ", {c:UR@64}, {n:U@72:8}, {s:UP@87 !@90}")
    UNI_B(0x96, "UPRMT{.uprmt@72} {d:UR@16}, {a:UR@24}, ", NONE, "U@32:32", ", {c:UR@64}")
    UNI_BC(0x99, "USHF{.dir@76}{.W@75}{.shf@73}{.HI@80} {d:UR@16}, {a:UR@24}, ", NONE, "U@32:32", NONE, "")
    UNI_B(0x9a, "USGXT{.W@75}{.!U32@73} {d:UR@16}, {a:UR@24}, ", NONE, "U@32:32", "")
    UNI_B(0x9b, "UBMSK{.W@75} {d:UR@16}, {a:UR@24}, ", NONE, "U@32:32", "")
    UROW(0x89c, "UPLOP3.LUT {p:UP@81}, {q:UP@84}, {s:UP@87 !@90}, {t:UP@77 !@80}, {r:UP@68 !@71}, {n:U@64:3,72:5}, "
                "{o:U@16:8}{?67}{?91}")
    UROW(0x29d, "UPLOP3.LUT {p:UP@81}, {q:UP@84}, {s:UP@87 !@90}, {b:UR@32}.SIGN, {r:UP@68 !@71}, {n:U@72:8}, "
                "{o:U@16:8}{#91=1}")
    UROW(0x29e, "UPLOP3.LUT {p:UP@81}, {q:UP@84}, {s:UP@87 !@90}, {b:UR@32}.SIGN, {c:UR@64}.SIGN, {n:U@72:8}, {o:U@16:8}{#91=1}")
    UROW(0x29f, "UPLOP3.LUT {p:UP@81}, {q:UP@84}, {a:UR@24}.SIGN, {b:UR@32}.SIGN, {c:UR@64}.SIGN, {n:U@72:8}, {o:U@16:8}{#91=1}")
    UNI_BC(0xa4, "UIMAD{.!U32@73} {d:UR@16}, {a:UR@24}, ", NONE, "S@32:32", N64, "{#74=0}{?81:3=7}{?87:4=15}")
    UNI_BC(0xa4, "UIMAD{.!U32@73}.X {d:UR@16}, {a:UR@24}, ", NONE, "S@32:32", I64, ", {s:UP@87 !@90}{#74=1}{?81:3=7}")
    UNI_B(0xa5, "UIMAD.WIDE{.!U32@73} {d:UR@16}, <{p:UP@81}, >{a:UR@24}, ", NONE, "S@32:32", ", {c:UR@64" N64 "}{#74=0}{?87:4=15}")
    UNI_B(0xa5, "UIMAD.WIDE{.!U32@73}.X {d:UR@16}, <{p:UP@81}, >{a:UR@24}, ", NONE, "S@32:32",
          ", {c:UR@64" I64 "}, {s:UP@87 !@90}{#74=1}")
    UNI_B(0xbd, "UFLO{.!U32@73}{.SH@74} {d:UR@16}, <{p:UP@81}, >", I32, "U@32:32", "")
    UNI_B(0xbe, "UBREV {d:UR@16}, ", NONE, "U@32:32", "")
    UNI_B(0xbf, "UPOPC {d:UR@16}, ", I32, "U@32:32", "")
    UROW(0x882, "UMOV {d:UR@16}, {b:U@32:32}{?91}")
    UROW(0xc82, "UMOV {d:UR@16}, {b:UR@32}{#91=1}")
    UROW(0x883, "UP2UR{.preg@76} {d:UR@16}, UPR, {a:UR@24}, {b:U@32:32}{#91=1}")
    UROW(0xc83, "UP2UR{.preg@76} {d:UR@16}, UPR, {a:UR@24}, {b:UR@32}{#91=1}")
    UROW(0x884, "UR2UP UPR, {a:UR@24 .preg@76}, {b:U@32:32}{#91=1}")
    UROW(0xc84, "UR2UP UPR, {a:UR@24 .preg@76}, {b:UR@32}{#91=1}")
    ROW(0x886, "VOTEU{.vote@72} <{d:UR@16}, >{p:UP@81}, {s:P@87 !@90}")
    UROW(0x8b8, "ULDC{.size=csize@73} {d:UR@16}, [{a:UR@24}{i:S@38:32 +}], {s:UP@87 !@90}{#91=1}")
    UROW(0xab9, "ULDC{.size=csize@73} {d:UR@16}, {b:C@38:16,54:5 s}{#91=0}")
    UROW(0xab9, "ULDC{.size=csize@73} {d:UR@16}, {b:CX@38:16,24:6}{#91=1}")
    UROW(0xabb, "ULDC{.size=csize@73} {d:UR@16}, c[{k:U@54:5}][{a:UR@24}{i:S@38:16 +}]{#91=1}")
    UROW(0x8bc, "UCLEA {d:UR@16}, <{p:UP@81}, >{a:UR@24}, {b:U@32:16}, {n:U@73:4}{#91=1}")
    UROW(0xcbc, "UCLEA {d:UR@16}, <{p:UP@81}, >{a:UR@24}, {b:UR@32}, {n:U@73:4}{#91=1}")

    /* Warp-wide */
    ROW(0x806, "VOTE{.vote@72} <{d:R@16}, >{p:P@81}, {s:P@87 !@90}")
    ROW(0x3a1, "MATCH.ANY{.U64@73} {d:R@16}, {a:R@24}{#79=1}{?81:3=7}")
    ROW(0x3a1, "MATCH.ALL{.U64@73} {p:P@81}, {d:R@16}, {a:R@24}{#79=0}")
    ROW(0x3c4, "REDUX{.redux@78}{.S32@73} {d:UR@16}, {a:R@24}")
    ROW(0x389, "SHFL{.shfl@58} {p:P@81}, {d:R@16}, {a:R@24}, {b:R@32}, {c:R@64}")
    ROW(0x589, "SHFL{.shfl@58} {p:P@81}, {d:R@16}, {a:R@24}, {b:R@32}, {c:U@40:13}")
    ROW(0x989, "SHFL{.shfl@58} {p:P@81}, {d:R@16}, {a:R@24}, {b:U@53:5}, {c:R@64}")
    ROW(0xf89, "SHFL{.shfl@58} {p:P@81}, {d:R@16}, {a:R@24}, {b:U@53:5}, {c:U@40:13}")

    /* Tensor cores */
    ROW(0x23c, "HMMA{.shape16@75:1,78}{.mmaf@76}{.mmai@82} {d:R@16}, {a:R@24 -@72}, {b:R@32 -@63}, {c:R@64}"
               "<, {s:UP@87 c !@90}>{#73=0}")
    ROW(0x23c, "HMMA.SP{.shape16=shape16s@75:1,78}{.mmaf@76}{.mmai@82} {d:R@16}, {a:R@24 -@72}, {b:R@32 -@63}, {c:R@64}<, {s:UP@87 c !@90}>, {e:R@40 .sreuse@50}, "
               "{n:U@48:2}{#73=1}")
    ROW(0x237, "IMMA{.ishape@75:1,85:2}{.atype=itc@76:1,83}{.btype=itc@78:1,84}{.SAT@82} {d:R@16}, {a:R@24 .row@73}, "
               "{b:R@32 .col@74}, {c:R@64}<, {s:UP@87 c !@90}>{#72=0}")
    ROW(0x237, "IMMA.SP{.ishape=ishapes@75:1,85:2}{.atype=itc@76:1,83}{.btype=itc@78:1,84}{.SAT@82} {d:R@16}, {a:R@24 .row@73}, "
               "{b:R@32 .col@74}, {c:R@64}<, {s:UP@87 c !@90}>, {e:R@40 .sreuse@50}, {n:U@48:2}{#72=1}")
    ROW(0x23d, "BMMA{.bshape@75}{.bmma@77}.POPC {d:R@16}, {a:R@24 .row@73}, {b:R@32 .col@74}, {c:R@64}<, {s:UP@87 c !@90}>{#80=1}")
    ROW(0x23f, "DMMA.884{.rnd@78} {d:R@16}, {a:R@24" NA24 "}, {b:R@32" NA32 "}, {c:R@64" NA64 "}<, {s:UP@87 c !@90}>{#76=0}")
    ROW(0x23a, "MOVM.16{.movm@78} {d:R@16}, {a:R@24}{#75:3=0}")
    ROW(0x83b, "LDSM.16{.m88@78}{.num@72} {d:R@16}, " S_PLAIN("") "{#75:3=0}{#91=0}")
    ROW(0x83b, "LDSM.16{.m88@78}{.num@72} {d:R@16}, " S_UNI("", "32") "{#75:3=0}{#91=1}")

    /* Memory */
    ROW(0x381, "LDG" LDMODS "<{p:P@81}, >{d:R@16}, " G_PLAIN LDPRED)
    GLOBAL(0x981, "LDG" LDMODS "<{p:P@81}, >{d:R@16}, ", LDPRED, "32", "72", "90", "76", "{#101", "")
    ROW(0x980, "LD" LDMODS "{d:R@16}, " G_WIDE LDPRED "{#91=0}")
    GLOBAL(0x980, "LD" LDMODS "{d:R@16}, ", LDPRED, "32", "72", "90", "76", "{#101", "")
    ROW(0x386, "STG" STMODS G_PLAIN ", {b:R@32}")
    GLOBAL(0x986, "STG" STMODS, ", {b:R@32}", "64", "72", "90", "76", "{#101", "")
    ROW(0x385, "ST" STMODS G_WIDE ", {b:R@64}")
    GLOBAL(0x985, "ST" STMODS, ", {b:R@32}", "64", "72", "90", "76", "{#101", "")
    ROW(0x983, "LDL{.evict@84}{.size@73} {d:R@16}, " S_PLAIN("") "{#91=0}")
    ROW(0x983, "LDL{.evict@84}{.size@73} {d:R@16}, " S_UNI("", "32") "{#91=1}{#76=0}")
    ROW(0x387, "STL{.evict@84}{.size@73} " S_PLAIN("") ", {b:R@32}")
    ROW(0x987, "STL{.evict@84}{.size@73} " S_UNI("", "64") ", {b:R@32}{#91=1}{#76=0}")
    ROW(0x984, "LDS{.size@73} {d:R@16}, " S_PLAIN(" .x4@78") "{#91=0}")
    ROW(0x984, "LDS{.size@73} {d:R@16}, " S_UNI(" .x4@78", "32") "{#91=1}")
    ROW(0x388, "STS{.size@73} " S_PLAIN(" .x4@78") ", {b:R@32}")
    ROW(0x988, "STS{.size@73} " S_UNI(" .x4@78", "64") ", {b:R@32}{#91=1}")
    ROW(0xb82, "LDC{.size=csize@73}{.il@78} {d:R@16}, c[{k:U@54:5}][{a:R@24 z}{i:S@38:16 +}]{#91=0}")
    ROW(0x582, "LDC{.size=csize@73}{.il@78} {d:R@16}, cx[{u:UR@24}][{a:R@64 z}{i:S@38:16 +}]{#91=1}")
    ROW(0xfae, "LDGSTS" GSMODS S_PLAIN2 ", " GS_64 "{h:UR@64 h}" GSPRED "{#91=1}{#70=1}{#76=1}{#101=0}")
    ROW(0xfae, "LDGSTS" GSMODS S_PLAIN2 ", desc[{h:UR@64}]" GS_64 GSPRED "{#91=1}{#70=1}{#76=1}{#101=1}")
    ROW(0xfae, "LDGSTS" GSMODS S_PLAIN2 ", [{b:R@24}.64{u:UR@64 + k}{j:S@32:12 +}]" GSPRED "{#91=1}{#70=1}{#76=0}{#101=0}")
    ROW(0xdae, "LDGSTS.E{.!BYPASS@81}{.evict@84}{.ltc@71}{.size=gsize@73}{.ZFILL@82}{.mem=gsmem@77} " S_UNI2 ", " GS_64 GSPRED
               "{#91=1}{#70=1}{?76=1}{#101=0}")
    ROW(0x9af, "LDGDEPBAR")
    ROW(0x9b0, "ARRIVES.LDGSTSBAR.64 [{a:R@24 z}{u:UR@64 + k}{i:S@40:24 +}]{#91=1}{#72:4=10}")

    /* Atomics */
    ROW(0x38a, "ATOM" ATMODS ATTAIL " {p:P@81}, {d:R@16}, " G_PLAIN ", {b:R@32}")
    ATOMIC(0x98a, "ATOM" ATMODS ATTAIL " {p:P@81}, {d:R@16}, ", ", {b:R@32}", "70")
    ROW(0x38b, "ATOM{.E@72}{.cas@87}{.evict@84}{.atype=ctype@73}{.smem=smem@77} {p:P@81}, {d:R@16}, " G_PLAIN ", {b:R@32}, {c:R@64}")
    ROW(0x3a8, "ATOMG" ATGMODS ATTAIL " {p:P@81}, {d:R@16}, " G_PLAIN ", {b:R@32}")
    ATOMIC(0x9a8, "ATOMG" ATGMODS ATTAIL " {p:P@81}, {d:R@16}, ", ", {b:R@32}", "70")
    ROW(0x3a9, "ATOMG{.E@72}.CAS{.evict@84}{.atype=ctype@73}{.smem=smem@77} {p:P@81}, {d:R@16}, " G_PLAIN ", {b:R@32}, {c:R@64}")
    ROW(0x98e, "RED{.E@72}{.op=red@87}" ATTAIL " " G_PLAIN ", {b:R@32}{#91=0}{?81:3}{?90}")
    ATOMIC(0x98e, "RED{.E@72}{.op=red@87}" ATTAIL " ", ", {b:R@32}{?81:3}", "90")
    ROW(0x38c, "ATOMS{.op=atom@87}{.stype@73} {d:R@16}, " S_PLAIN(" .x4@78") ", {b:R@32}")
    ROW(0x98c, "ATOMS{.op=atom@87}{.stype@73} {d:R@16}, " S_UNI(" .x4@78", "64") ", {b:R@32}{#91=1}")
    ROW(0x38d, "ATOMS{.cas@87}{.stype@73} {d:R@16}, " S_PLAIN(" .x4@78") ", {b:R@32}, {c:R@64}")
    ROW(0xf8c, "ATOMS.POPC.INC.32 {d:R@16}, " S_UNI(" .x4@78", "64") "{#91=1}{#73:2=0}{#87:4=10}")
    ROW(0xf8c, "ATOMS.ARRIVE.64 {d:R@16}, " S_UNI(" .x4@78", "64") "{#91=1}{#73:2=2}{#87:4=9}")
    ROW(0x3aa, "QSPC{.E@72}{.qspc@73} {p:P@81}, {d:R@16}, " G_PLAIN)
    ROW(0x9aa, "QSPC{.E@72}{.qspc@73} {p:P@81}, {d:R@16}, " G_U32("32") "{#91=1}{#90=0}")
    ROW(0x9aa, "QSPC{.E@72}{.qspc@73} {p:P@81}, {d:R@16}, " G_U64("32") "{#91=1}{#90=1}")

    /* Caches, fences, barriers */
    ROW(0x98f, "CCTL{.E@72}{.ccmem@78}{.cctl@87} " "[{a:R@24 z}{i:S@32:32 +}]{#91=0}")
    FLAG(0x98f, ET_ROW_ALIAS, "CCTL{.ccmem@78}.IVALL{?72}{#91=0}{#87:4=4}{?24:8=255}{?32:32=0}")
    FLAG(0x98f, ET_ROW_ALIAS, "CCTL{.ccmem@78}.IVALLP{?72}{#91=0}{#87:4=6}{?24:8=255}{?32:32=0}")
    FLAG(0x98f, ET_ROW_ALIAS, "CCTL{.ccmem@78}.WBALL{?72}{#91=0}{#87:4=7}{?24:8=255}{?32:32=0}")
    FLAG(0x98f, ET_ROW_ALIAS, "CCTL{.ccmem@78}.WBALLP{?72}{#91=0}{#87:4=8}{?24:8=255}{?32:32=0}")
    ROW(0xd8f, "CCTL{.E@72}{.ccmem@78}{.cctl@87} [{a:R@24 z}{u:UR@32 + k}]{#91=1}")
    ROW(0x990, "CCTLL{.cctll@87} " S_PLAIN("") "{#91=0}{#90=0}")
    ROW(0xd90, "CCTLL{.cctll@87} [{a:R@24 z}{u:UR@32 + k}]{#91=1}{#90=0}")
    ROW(0xb91, "CCTLT.IVTH {k:U@54:5}, {n:U@40:14}{#85:2=1}")
    ROW(0x391, "CCTLT.IVTH {b:R@32}{#85:2=1}")
    ROW(0x391, "CCTLT.IVALL{#85:2=2}")
    ROW(0x992, "MEMBAR{.membar@79}{.scope@76}")
    ROW(0x9ab, "ERRBAR")
    ROW(0x31c, "B2R.RESULT {d:R@16}<, {p:P@81}>{#78:2=1}")
    ROW(0x31c, "B2R {d:R@16}, {n:U@54:4}{#78:2=0}{?81:3}")
    ROW(0x31c, "B2R.WARP {d:R@16}{#78:2=2}{?81:3}")
    ROW(0x31e, "R2B {n:U@54:4}, {b:R@32}{#78:2=0}")
    ROW(0x31e, "R2B.WARP {n:U@54:4}, {b:R@32}{#78:2=2}")
    BAR_ROWS(0x31d, "{b:R@32}, {b:R@32}", "{b:R@32}, {b:R@32}")
    BAR_ROWS(0x51d, "{b:R@32}<, {c:U@42:12}>", "{b:R@32}, {c:U@42:12}")
    BAR_ROWS(0x91d, "{n:U@54:4}, {b:R@32}", "{n:U@54:4}, {b:R@32}")
    BAR_ROWS(0xb1d, "{n:U@54:4}<, {c:U@42:12}>", "{n:U@54:4}, {c:U@42:12}")
    ROW(0xb1d, "BAR.SYNCALL{#77:3=4}")
    ROW(0x91a, "DEPBAR.LE {x:T.sb@44}, {c:U@38:6}<, {m:M@32:6}>{#47=1}")
    ROW(0x91a, "DEPBAR {m:M@32:6}{#47=0}{#38:9=0}")

    /* Control flow */
    ROW(0x947, "BRA{.incdec@85}{.brau@32} <{s:P@87 !@90}, >{l:L@34:48 *4}{?16:16}{#91=0}")
    ROW(0x947, "BRA{.incdec@85}{.brac@32} <{s:P@87 !@90}, >{u:UR@24 ~@30}, {l:L@34:48 *4}{#91=1}")
    ROW(0x547, "BRA{.incdec@85}.U <{s:P@87 !@90}, >{t:UP@24 !@27}, {l:L@34:48 *4}{#91=1}{#32:2=1}")
    ROW(0x949, "BRX{.incdec@85} <{s:P@87 !@90}, >{a:R@24} {l:S@34:48 *4}")
    ROW(0x958, "BRXU{.incdec@85}{.brau@32} <{s:P@87 !@90}, >{a:UR@24}< {l:S@34:48 *4}>{#91=1}")
    ROW(0x94a, "JMP{.incdec@85}{.brau@32} <{s:P@87 !@90}, >{l:A@34:47 *4}{#91=0}")
    ROW(0x94a, "JMP{.incdec@85}{.brac@32} <{s:P@87 !@90}, >{u:UR@24 ~@30}, {l:A@34:47 *4}{#91=1}")
    ROW(0x54a, "JMP{.incdec@85}.U <{s:P@87 !@90}, >{t:UP@24 !@27}, {l:A@34:47 *4}{#91=1}{#32:2=1}")
    ROW(0x74a, "JMP{.incdec@85}.U <{s:P@87 !@90}, >{t:UP@24 !@27}, " CONST("b", NONE) "{#91=1}{#32:2=1}")
    ROW(0x94c, "JMX{.incdec@85} <{s:P@87 !@90}, >{a:R@24}< {l:S@34:48 *4}>")
    ROW(0x959, "JMXU{.incdec@85}{.brau@32} <{s:P@87 !@90}, >{a:UR@24}< {l:S@34:48 *4}>{#91=1}")
    ROW(0x943, "CALL.ABS{.NOINC@86} <{s:P@87 !@90}, >{l:A@34:47 *4}{#91=0}")
    ROW(0x943, "CALL.ABS{.NOINC@86} <{s:P@87 !@90}, >{a:UR@24}< {l:S@34:48 *4}>{#91=1}")
    ROW(0x343, "CALL.ABS{.NOINC@86} <{s:P@87 !@90}, >{a:R@24}< {l:S@34:48 *4}>")
    ROW(0x944, "CALL.REL{.NOINC@86} <{s:P@87 !@90}, >{l:L@34:48 *4}{#91=0}")
    ROW(0x944, "CALL.REL{.NOINC@86} <{s:P@87 !@90}, >{a:UR@24} {l:L@34:48 *4}{#91=1}")
    ROW(0x344, "CALL.REL{.NOINC@86} <{s:P@87 !@90}, >{a:R@24} {l:L@34:48 *4}")
    ROW(0x950, "RET.REL{.NODEC@86} <{s:P@87 !@90}, >{a:R@24} {l:L@34:48 *4}{#91=0}{#85=0}")
    ROW(0x950, "RET.REL{.NODEC@86} <{s:P@87 !@90}, >{a:UR@24} {l:L@34:48 *4}{#91=1}{#85=0}")
    ROW(0x950, "RET.ABS{.NODEC@86} <{s:P@87 !@90}, >{a:R@24} {l:S@34:48 *4}{#91=0}{#85=1}")
    ROW(0x950, "RET.ABS{.NODEC@86} <{s:P@87 !@90}, >{a:UR@24} {l:S@34:48 *4}{#91=1}{#85=1}")
    ROW(0x945, "BSSY <{s:P@87 !@90}, >{d:B@16}, {l:L@34:30 *4}")
    ROW(0x941, "BSYNC <{s:P@87 !@90}, >{d:B@16}")
    ROW(0x942, "BREAK <{s:P@87 !@90}, >{d:B@16}")
    ROW(0x946, "YIELD< {s:P@87 !@90}>")
    ROW(0x94d, "EXIT{.exit@84}{.NO_ATEXIT@86}< {s:P@87 !@90}>")
    ROW(0x95b, "KILL< {s:P@87 !@90}>")
    ROW(0x94f, "RTT")
    ROW(0x95c, "BPT{.bpt@84}< {n:U@34:3}>")
    ROW(0x348, "WARPSYNC{.EXCLUSIVE@86} <{s:P@87 !@90}, >{b:R@32}")
    ROW(0x948, "WARPSYNC <{s:P@87 !@90}, >{b:U@32:32}")
    ROW(0xb48, "WARPSYNC <{s:P@87 !@90}, >" CONST("b", NONE) "{#91=0}")
    ROW(0xb48, "WARPSYNC <{s:P@87 !@90}, >" BINDLESS("b", NONE) "{#91=1}")
    ROW(0xd48, "WARPSYNC <{s:P@87 !@90}, >{b:UR@32}{#91=1}")
    ROW(0x35d, "NANOSLEEP{.RAND@86}{.WARP@85} <{s:P@87 !@90}, >{b:R@32}{?83}")
    ROW(0x95d, "NANOSLEEP{.RAND@86}{.WARP@85} <{s:P@87 !@90}, >{b:U@32:32}{#83=0}")
    ROW(0xb5d, "NANOSLEEP{.RAND@86}{.WARP@85} <{s:P@87 !@90}, >" CONST("b", NONE) "{?83}{#91=0}")
    ROW(0xb5d, "NANOSLEEP{.RAND@86}{.WARP@85} <{s:P@87 !@90}, >" BINDLESS("b", NONE) "{?83}{#91=1}")
    ROW(0xd5d, "NANOSLEEP{.RAND@86}{.WARP@85} <{s:P@87 !@90}, >{b:UR@32}{?83}{#91=1}")
    ROW(0x95d, "NANOSLEEP.CLEAR< {s:P@87 !@90}>{#83=1}")
    ROW(0x355, "BMOV.32{.CLEAR@84} {d:R@16}, {x:T.breg@24}")
    ROW(0xf56, "BMOV.32{.PQUAD@84} {x:T.breg@24}, {d:B@16}")
    ROW(0xf55, "BMOV.32{.CLEAR@84} {d:B@16}, {x:T.breg@24}")
    ROW(0x356, "BMOV.32{.PQUAD@84} {x:T.breg@24}, {b:R@32}")
    ROW(0x956, "BMOV.32{.PQUAD@84} {x:T.breg@24}, {b:U@32:32}")
    ROW(0xb56, "BMOV.32{.PQUAD@84} {x:T.breg@24}, " CONST("b", NONE) "{#91=0}")
    ROW(0xb56, "BMOV.32{.PQUAD@84} {x:T.breg@24}, " BINDLESS("b", NONE) "{#91=1}")
    ROW(0xd56, "BMOV.32{.PQUAD@84} {x:T.breg@24}, {b:UR@32}{#91=1}")
    ROW(0x357, "BMOV.64 ATEXIT_PC, {b:R@32}{?24:6=30}")
    ROW(0x957, "BMOV.64 ATEXIT_PC, {l:A@34:47 *4}{?24:6=30}")
    ROW(0xb57, "BMOV.64 ATEXIT_PC, " CONST("b", NONE) "{?24:6=30}{#91=0}")
    ROW(0xb57, "BMOV.64 ATEXIT_PC, " BINDLESS("b", NONE) "{?24:6=30}{#91=1}")
    ROW(0xd57, "BMOV.64 ATEXIT_PC, {b:UR@32}{?24:6=30}{#91=1}")
    ROW(0x34e, "LEPC {d:R@16}")
    ROW(0x353, "RPCMOV.32 {d:R@16}, Rpc{.low@31}")
    U_FORMS(0x52, "RPCMOV.32 Rpc{.low@31}, ", NONE, "U@32:32", "")
    ROW(0x954, "RPCMOV.64 Rpc, {l:A@34:47 *4}")
    ROW(0xb54, "RPCMOV.64 Rpc, " CONST("b", NONE) "{#91=0}")
    ROW(0xb54, "RPCMOV.64 Rpc, " BINDLESS("b", NONE) "{#91=1}")
    ROW(0xd54, "RPCMOV.64 Rpc, {b:UR@32}{#91=1}")
    ROW(0xb4a, "JMP{.incdec@85}{.brau@32} <{s:P@87 !@90}, >" CONST("b", NONE) "{#91=0}")
    ROW(0xb4a, "JMP{.incdec@85}{.brac@32} <{s:P@87 !@90}, >{u:UR@24 ~@30}, " CONST("b", NONE) "{#91=1}")
    ROW(0xb43, "CALL.ABS{.NOINC@86} <{s:P@87 !@90}, >" CONST("b", NONE) "{#91=0}")
    ROW(0x31f, "SETCTAID{.cta@78} {a:R@24}")
    ROW(0x3c0, "GETLMEMBASE {d:R@16}")
    ROW(0x3c1, "SETLMEMBASE {a:R@24}")
    ROW(0x801, "PMTRIG <{s:P@87 !@90}, >{n:U@32:16}")
    ROW(0x918, "NOP")
    ROW(0x80d, "CSMTEST{.csmm@62}{.csm@76}{.bop@74} {p:P@81}, {q:P@84}, {n:U@32:28}, {s:P@87 !@90}")

    /* Textures: bound (constant bank and offset), bindless (.B), uniform handle */
    TEX_ROWS(0x160, 0x161, "TEX", "{.SCR@60}", TEXMODS, "dim", "<{b:R@32}, >")
    TEX_ROWS(0x163, 0x164, "TLD4", "{.SCR@60}{.rgba@87}", TLD4MODS, "dim4", "<{b:R@32}, >")
    TEX_ROWS(0x166, 0x167, "TLD", "{.SCR@60}", TLDMODS, "diml", "<{b:R@32}, >")
    TEX_ROWS(0x16c, 0x16d, "TXD", "", TXDMODS, "dimd", "{b:R@32}, ")
    ROW(0xb69, "TMML.LOD{.NDV@77}{.NODEP@90} {d:R@64}, {e:R@16}, {a:R@24}, <{b:R@32}, >{k:U@54:5}, {n:U@40:14}, {x:T.dim@61}<, {m:U@72:4 =15}>{#59=0}")
    ROW(0x36a, "TMML.B.LOD{.NDV@77}{.NODEP@90} {d:R@64}, {e:R@16}, {a:R@24}, {b:R@32}, {x:T.dim@61}<, {m:U@72:4 =15}>{#59=1}")
    ROW(0xf69, "TMML.LOD{.NDV@77}{.NODEP@90} {d:R@64}, {e:R@16}, {a:R@24}, <{b:R@32}, >{u:UR@40}, {n:U@46:8}, {x:T.dim@61}<, {m:U@72:4 =15}>{#91=1}")
    ROW(0xb6f, "TXQ{.NODEP@90} {d:R@64}, {e:R@16}, {a:R@24}, {x:T.txq@62}, {k:U@54:5}, {n:U@40:14}<, {m:U@72:4 =15}>{#59=0}")
    ROW(0x370, "TXQ.B{.NODEP@90} {d:R@64}, {e:R@16}, {a:R@24}, {x:T.txq@62}<, {m:U@72:4 =15}>{#59=1}")
    ROW(0xf6f, "TXQ{.NODEP@90} {d:R@64}, {e:R@16}, {a:R@24}, {x:T.txq@62}, {u:UR@40}, {n:U@46:8}<, {m:U@72:4 =15}>{#91=1}")
    ROW(0xb72, "FOOTPRINT{.texd@78}{.lod@87}{.COARSE@76}{.NDV@77}{.NODEP@90} <{p:P@81}, >{d:R@64}, {e:R@16}, {a:R@24}, {b:R@32}, "
               "{k:U@54:5}, {n:U@40:14}, {x:T.dimf@61}{#59=0}")
    ROW(0x373, "FOOTPRINT.B{.texd@78}{.lod@87}{.COARSE@76}{.NDV@77}{.NODEP@90} <{p:P@81}, >{d:R@64}, {e:R@16}, {a:R@24}, {b:R@32}, "
               "{x:T.dimf@61}{#59=1}")

    /* Surfaces: bindless (register), bound, bound pair, uniform handle */
    SURF("SULD.P{.sudim@61}{.evict@84}{.mem@77}{.mask@72}{.clamp@59} <{p:P@81}, >{d:R@16}, [{a:R@24}], ", 0x998, 0xb97, 0x797, 0xf97)
    SURF("SULD.D{.BA@72}{.sudim@61}{.evict@84}{.size@73}{.mem@77}{.clamp@59} <{p:P@81}, >{d:R@16}, [{a:R@24}], ", 0x99a, 0xb99, 0x799, 0xf99)
    SURF("SUST.P{.sudim@61}{.evict@84}{.smem=smem@77}{.mask@72}{.clamp@59} [{a:R@24}], {b:R@32}, ", 0x99c, 0xb9b, 0x79b, 0xf9b)
    SURF("SUST.D{.BA@72}{.sudim@61}{.evict@84}{.size@73}{.smem=smem@77}{.clamp@59} [{a:R@24}], {b:R@32}, ", 0x99e, 0xb9d, 0x79d, 0xf9d)
    SURF("SUATOM.D{.BA@72}{.sudim@61}{.op=atom@87}{.evict@84}{.sutype@73}{.smem=smem@77}{.clamp@59} <{p:P@81}, >{d:R@16}, [{a:R@24}], {b:R@32}, ",
         0x394, 0x593, 0x793, 0xf93)
    SURF("SUATOM.D{.BA@72}{.sudim@61}.CAS{.evict@84}{.sutype=suctype@73}{.smem=smem@77}{.clamp@59} <{p:P@81}, >{d:R@16}, [{a:R@24}], {b:R@32}, ",
         0x396, 0x595, 0x795, 0xf95)
    SURF("SURED.D{.BA@72}{.sudim@61}{.op=red@87}{.evict@84}{.sutype@73}{.smem=smem@77}{.clamp@59} [{a:R@24}], {b:R@32}{?81:3}, ",
         0x3a0, 0x59f, 0x79f, 0xf9f)
    ROW(0x9b3, "SUQUERY{.BA@72}{.sudim@61} {p:P@81}, {d:R@16}, [{a:R@24}], {x:T.suq@87}, {c:R@64}")
    ROW(0xbb3, "SUQUERY{.BA@72}{.sudim@61} {p:P@81}, {d:R@16}, [{a:R@24}], {x:T.suq@87}, {k:U@54:5}, {n:U@40:14}")
    ROW(0x7b3, "SUQUERY{.BA@72}{.sudim@61} {p:P@81}, {d:R@16}, [{a:R@24}], {x:T.suq@87}, {k:U@54:5}, {n:U@40:6}, {o:U@46:8}")
    ROW(0xfb3, "SUQUERY{.BA@72}{.sudim@61} {p:P@81}, {d:R@16}, [{a:R@24}], {x:T.suq@87}, {u:UR@40}, {n:U@46:8}{#91=1}")

    /* Graphics */
    ROW(0x321, "ALD{.O@79}{.attr@74} {d:R@16}, a[{i:S@40:11}]<, {b:R@32}>{#76:2=0}{#24:8=255}")
    ROW(0x321, "ALD{.O@79}.P{.attr@74} {d:R@16}, a[{a:R@24}{i:S@40:11 +}]{#76:2=1}{#32:8=255}")
    ROW(0x321, "ALD{.O@79}.PHYS{.attr@74} {d:R@16}, a[{a:R@24}]<, {b:R@32}>{#76:2=2}{?40:11}")
    ROW(0x521, "ALD{.O@79}{.attr@74} {d:R@16}, a[{u:UR@24}{i:S@40:11 +}]<, {b:R@32}>{#76:2=0}{#91=1}")
    ROW(0x322, "AST{.attr@74} a[{i:S@40:11}], {b:R@32}<, {c:R@64}>{#76:2=0}{#24:8=255}{?79}")
    FLAG(0x322, ET_ROW_ALIAS, "AST.P{.attr@74} a[{i:S@40:11}], {b:R@32}{#76:2=1}{#24:8=255}{#64:8=255}{?79}")
    ROW(0x322, "AST.P{.attr@74} a[{a:R@24}{i:S@40:11 +}], {b:R@32}{#76:2=1}{#64:8=255}{?79}")
    ROW(0x322, "AST.PHYS{.attr@74} a[{a:R@24}], {b:R@32}<, {c:R@64}>{#76:2=2}{?40:11}{?79}")
    ROW(0x522, "AST{.attr@74} a[{u:UR@24}{i:S@40:11 +}], {b:R@32}<, {c:R@64}>{#76:2=0}{#91=1}{?79}")
    ROW(0x522, "AST.P{.attr@74} a[{u:UR@24}{i:S@40:11 +}], {b:R@32}<, {c:R@64}>{#76:2=1}{#91=1}{?79}")
    ROW(0x920, "AL2P{.O@79}{.attr@74} {d:R@16}, {a:R@24}, {i:S@40:11}")
    ROW(0x326, "IPA{.ipa@78}{.ipaloc@76} {d:R@16}, <{p:P@81}, >a[{i:U@64:8 *4}]{#77=0}{?32:8=255}")
    ROW(0x326, "IPA{.ipa@78}.OFFSET {d:R@16}, <{p:P@81}, >a[{i:U@64:8 *4}], {b:R@32}{#76:2=2}")
    ROW(0x926, "IPA{.ipa@78}.OFFSET {d:R@16}, <{p:P@81}, >a[{i:U@64:8 *4}], {b:U@32:32}{#76:2=2}{#91=0}")
    ROW(0xb26, "IPA{.ipa@78}.OFFSET {d:R@16}, <{p:P@81}, >a[{i:U@64:8 *4}], " CONST("b", NONE) "{#76:2=2}{#91=0}")
    ROW(0x526, "IPA{.ipa@78}{.ipaloc@76} {d:R@16}, <{p:P@81}, >a[{u:UR@24}{i:U@64:8 *4 +}]{#91=1}{#77=0}{?32:8=255}")
    ROW(0x526, "IPA{.ipa@78}.OFFSET {d:R@16}, <{p:P@81}, >a[{u:UR@24}{i:U@64:8 *4 +}], {b:R@32}{#91=1}{#76:2=2}")
    ROW(0x923, "ISBERD{.isbx=isbxr@78}{.isbw@76}{.isbe@74} {d:R@16}, [{a:R@24 z}{i:U@40:16 +}]")
    ROW(0x927, "ISBEWR{.isbx=isbxw@78}{.isbw=isbww@76}{.isbe@74} [{a:R@24 z}{i:U@40:16 +}], {b:R@32}")
    ROW(0x324, "OUT.FINAL {a:R@24}{#78:2=0}{#16:8=255}{#32:8=255}")
    ROW(0x324, "OUT{.outc@79} {d:R@16}, {a:R@24}, {b:R@32}{#78=1}")
    ROW(0x324, "OUT.CUT {d:R@16}, {a:R@24}, {b:R@32}{#78:2=2}")
    ROW(0x924, "OUT{.outc@79} {d:R@16}, {a:R@24}, {b:U@32:32}{#78=1}")
    ROW(0xd24, "OUT{.outc@79} {d:R@16}, {a:R@24}, {b:UR@32}{#78=1}{#91=1}")
    ROW(0x925, "PIXLD{.pixld@78} {d:R@16}<, {p:P@81}>{?71:3}")
    ROW(0x3ad, "LDTRAM{.tram@72} {d:R@16}, a[{u:UR@24}{i:U@64:8 *4 +}]{#91=1}")
    /* clang-format on */
};

const struct et_isa_def et_isa_ampere = {
    .name = "ampere",
    .kind = ET_ISA_AMPERE,
    .word_bits = 128,
    .op_pos = 0,
    .op_bits = 12,
    .guard_pos = 12,
    .rz = 255,
    .urz = 63,
    .reuse_pos = {24, 32, 64},
    .spare_pos = {16, 24, 32, 64},
    .spare_count = 4,
    .rows = rows,
    .row_count = sizeof rows / sizeof *rows,
    .tables = tables,
    .table_count = sizeof tables / sizeof *tables,
    .lowering = et_ampere_lowering_of,
};
