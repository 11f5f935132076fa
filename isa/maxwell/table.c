/* The Maxwell instruction set, SM50 to SM53: one row an encoding form; grammar of the texts in isa/isa.h.
 *
 * Bits and spellings [DOC]: NVIDIA's disassembler (nvdisasm 11.8, -b SM53), each bit of each form flipped and
 * read back. A 64-bit word holds d at 0, a at 8, the guard at 16, b at 20 and c at 39; forms differ in where b
 * and c come from: register, constant, immediate, or register and constant swapped. */
#include "isa/isa.h"
#include "isa/maxwell/tables.h"

/* clang-format off */

/* Destination, with the flag that sets the condition code. */
#define D "{d:R@0}{.CC@47}, "
#define DA D "{a:R@8}, "
#define PRED_DST "{p:P@3}, {q:P@0}, "
#define PRED_SRC ", {s:P@39 !@42}"
#define CONST(o) "{b:C@20:14,34:5 *4 s " o "}"
#define CONST_C(o) "{c:C@20:14,34:5 *4 s " o "}"
#define S20 "{b:S@20:19,56}"
#define F20 "{b:F@20:19,56}"
#define D20 "{b:D@20:19,56}"
#define H20 "{h:H@30:9,56}, {l:H@20:10}"
/* The second operand of an addition is the third port: its reuse bit is that of c. */
#define ADDEND "r2 "
#define FNEG "{.NEG@45}{.ABS@49}"

/* Instructions whose registers the scheduling word cannot mark for reuse. */
#define NR ET_ROW_NO_REUSE
/* Two sources; `op` is the low byte of the opcode. */
#define ROWS2F(flags, op, head, o, immediate, tail) \
    {0x5c00 | (op), 0xfff8, flags, head "{b:R@20 " o "}" tail}, \
    {0x4c00 | (op), 0xfff8, flags, head CONST(o) tail}, \
    {0x3800 | (op), 0xfef8, flags, head immediate tail}
#define ROWS2(op, head, o, immediate, tail) ROWS2F(0, op, head, o, immediate, tail)
#define ROWS2N(op, head, o, immediate, tail) ROWS2F(NR, op, head, o, immediate, tail)
/* Two sources, opcodes of any width. */
#define ROWS2XF(flags, r, c, i, mask, head, o, immediate, tail) \
    {r, mask, flags, head "{b:R@20 " o "}" tail}, \
    {c, mask, flags, head CONST(o) tail}, \
    {i, (mask) & 0xfeff, flags, head immediate tail}
#define ROWS2X(r, c, i, mask, head, o, immediate, tail) ROWS2XF(0, r, c, i, mask, head, o, immediate, tail)
/* Three sources. */
#define ROWS3F(flags, r, c, rc, i, mask, head, o, immediate, co, tail) \
    {r, mask, flags, head "{b:R@20 " o "}, {c:R@39 " co "}" tail}, \
    {c, mask, flags, head CONST(o) ", {c:R@39 " co "}" tail}, \
    {rc, mask, flags, head "{b:R@39 r1 " o "}, " CONST_C(co) tail}, \
    {i, (mask) & 0xfeff, flags, head immediate ", {c:R@39 " co "}" tail}
#define ROWS3(r, c, rc, i, mask, head, o, immediate, co, tail) \
    ROWS3F(0, r, c, rc, i, mask, head, o, immediate, co, tail)
/* Conversions from integers: the part's names depend on the source's width. */
#define FROM_INTEGER(op, head) \
    ROWS2N(op, head, "|@49 -@45 .bsel@41 w", S20 FNEG "{.sel=bsel@41}", "{#10:2=0}"), \
    ROWS2N(op, head, "|@49 -@45 .hsel@41 w", S20 FNEG "{.sel=hsel@41}", "{#10:2=1}"), \
    ROWS2N(op, head, "|@49 -@45 .bsel@41 w", S20 FNEG "{.sel=bsel@41}", "{#11=1}")
/* Conversions from floats; an immediate has the source's width. */
#define FROM_FLOAT(flags, op, head, half, other, tail) \
    ROWS2F(flags, op, head, "|@49 -@45 " half, "{b:H@20:16}" FNEG "{.H1@41}", "{#10:2=1}" tail), \
    ROWS2F(flags, op, head, "|@49 -@45 " other, F20 FNEG, "{#10:2=2}" tail), \
    ROWS2F(flags, op, head, "|@49 -@45 " other, D20 FNEG, "{#10:2=3}" tail)
/* Same-width F2F rounds to an integral value. */
#define F2F_SAME(n, o, immediate) \
    ROWS2F(ET_ROW_ALIAS | NR, 0xa8, \
           "F2F{.FTZ@44}{.dtype=ftype@8}{.stype=ftype@10}{.rnd=fround@39:2,42}{.SAT@50} " D, \
           "|@49 -@45" o, immediate, "{#8:2=" n "}{#10:2=" n "}")
/* .PO takes both sign bits of an integer addition: the sum plus one. */
#define ADD_ROWS(op, name, mods, tail) \
    ROWS2F(ET_ROW_ALIAS, op, name ".PO" mods " " DA, "", S20, tail "{#48:2=3}"), \
    ROWS2(op, name mods " " D "{a:R@8 -@49}, ", "-@48", S20 "{.NEG@48}", tail)
/* IMADSP: the addend is signed when a factor is. */
#define IMADSP(as, bs, a, b, c) \
    ROWS3F(NR, 0x5a80, 0x4a80, 0x5280, 0x3480, 0xff80, \
          "IMADSP{.atype=" a "@49}{.btype=" b "@54}{.ctype=" c "@51} " DA, "", S20, "", "{#48=" as "}{#53=" bs "}")
/* Scalar video: types and parts of a and b; two S32 (or S32 and an S16 immediate) go without saying. */
#define VIDEO_4(form, mask, flags, f32, a, at, post, head, bo, tail) \
    {form, mask, flags, a "{.btype=v8@49}" post " " head at ", {b:R@20 " bo " .bsel@28}" tail "{#50=1}{#30=0}"}, \
    {form, mask, flags, a "{.btype=v16@49}" post " " head at ", {b:R@20 " bo " .h1@28}" tail "{#50=1}{#29:2=2}"}, \
    {form, mask, f32, a ".U32" post " " head at ", {b:R@20 " bo "}" tail "{#50=1}{#28:3=6}{#49=0}"}, \
    {form, mask, flags, a ".U16" post " " head at ", {b:U@20:16 " bo "}" tail "{#50=0}{#49=0}"}
#define VIDEO_2(form, mask, flags, f32, a32, a16, at, post, head, bo, im, tail) \
    {form, mask, f32, a32 post " " head at ", {b:R@20 " bo "}" tail "{#50=1}{#28:3=6}{#49=1}"}, \
    {form, mask, flags, a16 post " " head at ", {b:" im "@20:16 " bo "}" tail "{#50=0}{#49=1}"}
#define VIDEO_A(form, mask, flags, f32, a, at, post, head, bo, im, tail) \
    VIDEO_4(form, mask, flags, f32, a, at, post, head, bo, tail), \
    VIDEO_2(form, mask, flags, f32, a ".S32", a ".S16", at, post, head, bo, im, tail)
/* `f32`: flags of the forms with a 32-bit source. */
#define VIDEO_F(form, mask, flags, f32, pre, pre16, post, head, ao, bo, im, tail) \
    VIDEO_A(form, mask, flags, f32, pre "{.atype=v8@48}", "{a:R@8 " ao " .bsel@36}{#38=0}", post, head, bo, im, tail), \
    VIDEO_A(form, mask, flags, f32, pre "{.atype=v16@48}", "{a:R@8 " ao " .h1@36}{#37:2=2}", post, head, bo, im, tail), \
    VIDEO_A(form, mask, f32, f32, pre ".U32", "{a:R@8 " ao "}{#36:3=6}{#48=0}", post, head, bo, im, tail), \
    VIDEO_4(form, mask, f32, f32, pre ".S32", "{a:R@8 " ao "}{#36:3=6}{#48=1}", post, head, bo, tail), \
    VIDEO_2(form, mask, f32, f32, pre, pre16, "{a:R@8 " ao "}{#36:3=6}{#48=1}", post, head, bo, im, tail)
#define VIDEO(form, mask, flags, pre, pre16, post, head, ao, bo, im, tail) \
    VIDEO_F(form, mask, flags, flags, pre, pre16, post, head, ao, bo, im, tail)
#define SHIFT_A(form, a, at, post, b32, b16) \
    {form, 0xff00, 0, a ".U8{.W@49}" post " " D at ", {b:R@20 .bsel@28}, {c:R@39}{#50=1}{#30=0}"}, \
    {form, 0xff00, 0, a ".U16{.W@49}" post " " D at ", {b:R@20 .h1@28}, {c:R@39}{#50=1}{#29:2=2}"}, \
    {form, 0xff00, 0, b32 "{.W@49}" post " " D at ", {b:R@20}, {c:R@39}{#50=1}{#28:3=6}"}, \
    {form, 0xff00, 0, b16 "{.W@49}" post " " D at ", {b:U@20:16}, {c:R@39}{#50=0}"}
#define VIDEO_SHIFT(form, pre, post) \
    SHIFT_A(form, pre "{.atype=v8@48}", "{a:R@8 .bsel@36}{#38=0}", post, pre "{.atype=v8@48}.U32", pre "{.atype=v8@48}.U16"), \
    SHIFT_A(form, pre "{.atype=v16@48}", "{a:R@8 .h1@36}{#37:2=2}", post, pre "{.atype=v16@48}.U32", pre "{.atype=v16@48}.U16"), \
    SHIFT_A(form, pre ".U32", "{a:R@8}{#36:3=6}{#48=0}", post, pre ".U32.U32", pre ".U32.U16"), \
    SHIFT_A(form, pre ".S32", "{a:R@8}{#36:3=6}{#48=1}", post, pre, pre)

#define TEX_HEAD " <{p:P@51=7}, >{d:R@0}, {a:R@8}<, {b:R@20}>, "
#define TEX_TAIL ", {x:T.dim@28}, {m:U@31:4}"
#define TEX_BOUND TEX_HEAD "{t:U@36:13}" TEX_TAIL
#define TEX_HANDLE TEX_HEAD "0x0" TEX_TAIL
/* TEXS and TLDS: target and level share a field; one or two destination pairs. */
#define SHORT_ROWS(form, name, dim, code) \
    {form, 0xfe00, ET_ROW_ALIAS | NR, name "{.NODEP@49}{.phase@r} {e:R@28}, {d:R@0}, {a:R@8}<, {b:R@20}>, {t:U@36:13}, " dim \
     ", {x:T.short2@50}{#28:8=255}{#53:4=" code "}"}, \
    {form, 0xfe00, NR, name "{.NODEP@49}{.phase@r} {e:R@28}, {d:R@0}, {a:R@8}<, {b:R@20}>, {t:U@36:13}, " dim \
     ", {x:T.short4@50}{#53:4=" code "}"}
#define SHORT(form, name, mods, dim, code) \
    SHORT_ROWS(form, name ".F16" mods, dim, code), SHORT_ROWS((form) | 0x0800, name mods, dim, code)

#define SU_HEAD(name) name "{.dim=surdim@33}"
#define SU_CLAMP "{.clamp@49}"
#define SU_ROWS(form, text, tail) \
    {form, 0xfff8, NR, text ", {c:R@39}" tail}, {(form) | 8, 0xfff8, NR, text ", {t:U@36:13}" tail}

#define BAR_ROWS(name, mode, reg, imm, tail) \
    {0xf0a8, 0xfff8, NR, "BAR." name " {a:R@8}" reg tail "{#32:2=" mode "}{#43:2=0}"}, \
    {0xf0a8, 0xfff8, NR, "BAR." name " {a:R@8}" imm tail "{#32:2=" mode "}{#43:2=1}"}, \
    {0xf0a8, 0xfff8, NR, "BAR." name " {a:U@8:8}" reg tail "{#32:2=" mode "}{#43:2=2}"}, \
    {0xf0a8, 0xfff8, NR, "BAR." name " {a:U@8:8}" imm tail "{#32:2=" mode "}{#43:2=3}"}

/* An address: without a base register the offset is unsigned. */
#define MEM(form, mask, head, o, tail) \
    {form, mask, ET_ROW_ALIAS | NR, head "[{a:R@8 z}{o:U@" o " +}]" tail "{#8:8=255}"}, \
    {form, mask, NR, head "[{a:R@8 z}{o:S@" o " +}]" tail}
/* Compare and swap: the pair in consecutive registers, or one of them RZ; two bits at `zero` say which. */
#define CAS_ROWS(flags, form, mask, name, head, wide, zero) \
    {form, mask, (flags) | NR, name " " head ", {b:R@20}, {c:R@20 %1}{#" wide "=0}{#" zero ":2=0}"}, \
    {form, mask, (flags) | NR, name "{.64@" wide "} " head ", {b:R@20}, {c:R@20 %2}{#" wide "=1}{#" zero ":2=0}"}, \
    {form, mask, (flags) | NR, name "{.64@" wide "} " head ", {b:R@20}, RZ{#" zero ":2=1}"}, \
    {form, mask, (flags) | NR, name "{.64@" wide "} " head ", RZ, {c:R@20}{#" zero ":2=2}"}
#define CAS_MEM(form, mask, name, o, wide, zero) \
    CAS_ROWS(ET_ROW_ALIAS, form, mask, name, "{d:R@0}, [{a:R@8 z}{o:U@" o " +}]{#8:8=255}", wide, zero), \
    CAS_ROWS(0, form, mask, name, "{d:R@0}, [{a:R@8 z}{o:S@" o " +}]", wide, zero)

/* Control flow: the condition-code test, absent when true; targets are relative, or in a constant. */
#define CC_END "< CC.{n:T.ccode@0=15}>"
#define CC_ARG "<CC.{n:T.ccode@0=15}, >"
#define CONST_TARGET "{b:C@20:16,36:5 s}{#5=1}"
#define PUSH_ROWS(op, name) \
    {op, 0xfff0, ET_ROW_NO_GUARD, name " {x:L@20:24}{#5=0}{?0:5}{?16:4}"}, {op, 0xfff0, ET_ROW_NO_GUARD, name " " CONST_TARGET "{?0:5}{?16:4}"}
#define ADDRESS(o) "[{a:R@8 z}{o:" o " +}]"

static const struct et_isa_row rows[] = {
    /* ---- single precision */
    ROWS2(0x58, "FADD{.FTZ@44}{.rnd@39}{.SAT@50} " D "{a:R@8 |@46 -@48}, ", ADDEND "|@49 -@45", F20 FNEG, ""),
    {0x0800, 0xfc00, 0, "FADD32I{.FTZ@55} {d:R@0}{.CC@52}, {a:R@8 |@54 -@56}, {b:F@20:32}{.NEG@53}{.ABS@57}"},
    ROWS2(0x68, "FMUL{.ftz=fmz@44}{.scale=pdiv@41}{.rnd@39}{.SAT@50} " DA, "-@48", F20 "{.NEG@48}", ""),
    {0x1e00, 0xff00, 0, "FMUL32I{.ftz=fmz@53}{.SAT@55} {d:R@0}{.CC@52}, {a:R@8}, {b:F@20:32}"},
    ROWS3(0x5980, 0x4980, 0x5180, 0x3280, 0xff80, "FFMA{.ftz=fmz@53}{.rnd@51}{.SAT@50} " DA, "-@48",
          F20 "{.NEG@48}", "-@49", ""),
    {0x0c00, 0xfc00, 0,
     "FFMA32I{.ftz=fmz@53}{.SAT@55} {d:R@0}{.CC@52}, {a:R@8 -@56}, {b:F@20:32}, {c:R@0 -@57 r2}"},
    ROWS2(0x60, "FMNMX{.FTZ@44} " D "{a:R@8 |@46 -@48}, ", "|@49 -@45", F20 FNEG, PRED_SRC),
    ROWS2X(0x5800, 0x4800, 0x3000, 0xff00,
           "FSET{.BF@52}{.cmp=fcmp@48}{.FTZ@55}{.bop@45} " D "{a:R@8 |@54 -@43}, ", "|@44 -@53",
           F20 "{.NEG@53}{.ABS@44}", PRED_SRC),
    ROWS2X(0x5bb0, 0x4bb0, 0x36b0, 0xfff0, "FSETP{.cmp=fcmp@48}{.FTZ@47}{.bop@45} " PRED_DST "{a:R@8 |@7 -@43}, ",
           "|@44 -@6", F20 "{.NEG@6}{.ABS@44}", PRED_SRC),
    ROWS3(0x5ba0, 0x4ba0, 0x53a0, 0x36a0, 0xfff0, "FCMP{.cmp=fcmpgt@48}{.FTZ@47} {d:R@0}, {a:R@8}, ", "", F20, "", ""),
    ROWS2(0x88, "FCHK.DIVIDE {p:P@3}, {a:R@8 |@46 -@48}, ", "|@49 -@45", F20 FNEG, "{#39:6=0}"),
    ROWS2(0x90, "RRO{.func=rro@39} {d:R@0}, ", "|@49 -@45", F20 FNEG, ""),
    {0x5080, 0xfff8, NR, "MUFU{.func=mufu@20}{.SAT@50} {d:R@0}, {a:R@8 |@46 -@48}"},
    {0x50f8, 0xfff8, 0,
     "FSWZADD{.FTZ@44}{.rnd@39}{.NDV@38} " DA "{b:R@20 " ADDEND "}, {x:T.swz@28}"},
    /* ---- double precision */
    ROWS2(0x70, "DADD{.rnd@39} " D "{a:R@8 |@46 -@48}, ", ADDEND "|@49 -@45", D20 FNEG, ""),
    ROWS2(0x80, "DMUL{.rnd@39} " DA, "-@48", D20 "{.NEG@48}", ""),
    ROWS3(0x5b70, 0x4b70, 0x5370, 0x3670, 0xfff0, "DFMA{.rnd@50} " DA, "-@48", D20 "{.NEG@48}", "-@49", ""),
    ROWS2N(0x50, "DMNMX " D "{a:R@8 |@46 -@48}, ", "|@49 -@45", D20 FNEG, PRED_SRC),
    ROWS2XF(NR, 0x5900, 0x4900, 0x3200, 0xff80, "DSET{.BF@52}{.cmp=fcmp@48}{.bop@45} " D "{a:R@8 |@54 -@43}, ",
           "|@44 -@53", D20 "{.NEG@53}{.ABS@44}", PRED_SRC),
    ROWS2XF(NR, 0x5b80, 0x4b80, 0x3680, 0xfff0, "DSETP{.cmp=fcmp@48}{.bop@45} " PRED_DST "{a:R@8 |@7 -@43}, ", "|@44 -@6",
           D20 "{.NEG@6}{.ABS@44}", PRED_SRC),
    /* ---- halves */
    {0x5d10, 0xfff8, 0, "HADD2{.dst=hdst@49}{.FTZ@39}{.SAT@32} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, {b:R@20 " ADDEND "|@30 -@31 .hswz@28}"},
    {0x7a80, 0xfe80, 0, "HADD2{.dst=hdst@49}{.FTZ@39}{.SAT@52} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, " CONST("|@54 -@56")},
    {0x7a00, 0xfe80, 0, "HADD2{.dst=hdst@49}{.FTZ@39}{.SAT@52} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, " H20},
    {0x2c00, 0xfe00, 0, "HADD2_32I{.FTZ@55}{.SAT@52} {d:R@0}, {a:R@8 -@56 .hswz@53}, {h:H@36:16}, {l:H@20:16}"},
    {0x5d08, 0xfff8, 0, "HMUL2{.dst=hdst@49}{.ftz=fmz@39}{.SAT@32} {d:R@0}, {a:R@8 |@44 .hswz@47}, {b:R@20 |@30 -@31 .hswz@28}"},
    {0x7880, 0xfe80, 0, "HMUL2{.dst=hdst@49}{.ftz=fmz@39}{.SAT@52} {d:R@0}, {a:R@8 |@44 .hswz@47}, " CONST("|@54 -@43")},
    {0x7800, 0xfe80, 0, "HMUL2{.dst=hdst@49}{.ftz=fmz@39}{.SAT@52} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, " H20},
    {0x2a00, 0xfe00, 0, "HMUL2_32I{.ftz=fmz@55}{.SAT@52} {d:R@0}, {a:R@8 .hswz@53}, {h:H@36:16}, {l:H@20:16}"},
    {0x5d00, 0xfff8, 0, "HFMA2{.dst=hdst@49}{.ftz=fmz@37}{.SAT@32} {d:R@0}, {a:R@8 .hswz@47}, {b:R@20 -@31 .hswz@28}, {c:R@39 -@30 .hswz@35}"},
    {0x7080, 0xf880, 0, "HFMA2{.dst=hdst@49}{.ftz=fmz@57}{.SAT@52} {d:R@0}, {a:R@8 .hswz@47}, " CONST("-@56") ", {c:R@39 -@51 .hswz@53}"},
    {0x6080, 0xf880, 0, "HFMA2{.dst=hdst@49}{.ftz=fmz@57}{.SAT@52} {d:R@0}, {a:R@8 .hswz@47}, {b:R@39 r1 -@56 .hswz@53}, " CONST_C("-@51")},
    {0x7000, 0xf880, 0, "HFMA2{.dst=hdst@49}{.ftz=fmz@57}{.SAT@52} {d:R@0}, {a:R@8 .hswz@47}, " H20 ", {c:R@39 -@51 .hswz@53}"},
    {0x2800, 0xfe00, 0, "HFMA2_32I{.ftz=fmz@55} {d:R@0}, {a:R@8 .hswz@53}, {h:H@36:16}, {l:H@20:16}, {c:R@0 -@52 r2}"},
    {0x5d18, 0xfff8, 0, "HSET2{.BF@49}{.cmp=fcmp@35}{.FTZ@50}{.bop@45} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, {b:R@20 |@30 -@31 .hswz@28}" PRED_SRC},
    {0x7c80, 0xfe80, 0, "HSET2{.BF@53}{.cmp=fcmp@49}{.FTZ@54}{.bop@45} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, " CONST("-@56") PRED_SRC},
    {0x7c00, 0xfe80, 0, "HSET2{.BF@53}{.cmp=fcmp@49}{.FTZ@54}{.bop@45} {d:R@0}, {a:R@8 |@44 -@43 .hswz@47}, " H20 PRED_SRC},
    {0x5d20, 0xfff8, 0, "HSETP2{.cmp=fcmp@35}{.H_AND@49}{.FTZ@6}{.bop@45} " PRED_DST "{a:R@8 |@44 -@43 .hswz@47}, {b:R@20 |@30 -@31 .hswz@28}" PRED_SRC},
    {0x7e80, 0xfe80, 0, "HSETP2{.cmp=fcmp@49}{.H_AND@53}{.FTZ@6}{.bop@45} " PRED_DST "{a:R@8 |@44 -@43 .hswz@47}, " CONST("-@56") PRED_SRC},
    {0x7e00, 0xfe80, 0, "HSETP2{.cmp=fcmp@49}{.H_AND@53}{.FTZ@6}{.bop@45} " PRED_DST "{a:R@8 |@44 -@43 .hswz@47}, " H20 PRED_SRC},
    /* ---- integers */
    ADD_ROWS(0x10, "IADD", "{.SAT@50}{.X@43}", ""),
    {0x1c00, 0xfe00, 0, "IADD32I{.SAT@54}{.X@53} {d:R@0}{.CC@52}, {a:R@8 -@56}, {b:S@20:32}{#55=0}"},
    {0x1c00, 0xfe00, 0, "IADD32I.PO{.SAT@54}{.X@53} {d:R@0}{.CC@52}, {a:R@8}, {b:S@20:32}{#55:2=3}"},
    {0x5cc0, 0xfff0, 0,
     "IADD3{.shift=ishift@37}{.X@48} " D "{a:R@8 -@51 .isel@35}, {b:R@20 -@50 .isel@33}, {c:R@39 -@49 .isel@31}"},
    {0x4cc0, 0xfff0, 0, "IADD3{.X@48} " D "{a:R@8 -@51}, " CONST("-@50") ", {c:R@39 -@49}"},
    {0x38c0, 0xfef0, 0, "IADD3{.X@48} " D "{a:R@8 -@51}, {b:U@20:19,56}{.NEG@50}, {c:R@39 -@49}"},
    ADD_ROWS(0x18, "ISCADD", "", ", {i:U@39:5}"),
    {0x1400, 0xfc00, 0, "ISCADD32I {d:R@0}{.CC@52}, {a:R@8}, {b:S@20:32}, {i:U@53:5}"},
    ROWS2N(0x38, "IMUL{.type=isign@40:2}{.HI@39} " DA, "", S20, ""),
    {0x1f00, 0xff00, NR, "IMUL32I{.type=isign@54:2}{.HI@53} {d:R@0}{.CC@52}, {a:R@8}, {b:S@20:32}"},
    ROWS3F(ET_ROW_ALIAS | NR, 0x5a00, 0x4a00, 0x5200, 0x3400, 0xff80, "IMAD{.type=isign@48:1,53}{.HI@54}.PO{.SAT@50}{.X@49} " DA, "",
           S20, "", "{#51:2=3}"),
    ROWS3F(NR, 0x5a00, 0x4a00, 0x5200, 0x3400, 0xff80, "IMAD{.type=isign@48:1,53}{.HI@54}{.SAT@50}{.X@49} " D "{a:R@8 -@52}, ", "",
          S20, "-@51", ""),
    {0x1000, 0xfc00, ET_ROW_ALIAS | NR, "IMAD32I{.type=isign@54:1,57}{.HI@53}.PO {d:R@0}{.CC@52}, {a:R@8}, {b:S@20:32}, {c:R@0}{#55:2=3}"},
    {0x1000, 0xfc00, NR, "IMAD32I{.type=isign@54:1,57}{.HI@53} {d:R@0}{.CC@52}, {a:R@8 -@56}, {b:S@20:32}, {c:R@0 -@55}"},
    IMADSP("0", "0", "spau", "spbu", "spcu"),
    IMADSP("1", "0", "spas", "spbu", "spcs"),
    IMADSP("0", "1", "spau", "spbs", "spcs"),
    IMADSP("1", "1", "spas", "spbs", "spcs"),
    {0x5b00, 0xffc0, 0, "XMAD{.type=xsign@48}{.PSL@36}{.xmode@50}{.MRG@37}{.X@38} " D "{a:R@8 .h1@53}, {b:R@20 .h1@35}, {c:R@39}"},
    {0x3600, 0xffc0, 0, "XMAD{.type=xsign@48}{.PSL@36}{.xmode@50}{.MRG@37}{.X@38} " D "{a:R@8 .h1@53}, {b:U@20:16}, {c:R@39}{#49=0}"},
    {0x3600, 0xffc0, 0, "XMAD{.type=xsign@48}{.PSL@36}{.xmode@50}{.MRG@37}{.X@38} " D "{a:R@8 .h1@53}, {b:S@20:16}, {c:R@39}{#49=1}"},
    {0x4e00, 0xfe00, 0, "XMAD{.type=xsign@48}{.PSL@55}{.xmode=xmode2@50}{.MRG@56}{.X@54} " D "{a:R@8 .h1@53}, " CONST(".h1@52 w") ", {c:R@39}"},
    {0x5100, 0xff80, 0, "XMAD{.type=xsign@48}{.xmode=xmode2@50}{.X@54} " D "{a:R@8 .h1@53}, {b:R@39 r1 .h1@52}, " CONST_C("")},
    ROWS2(0x20, "IMNMX{.!U32@48}{.ext=xlo@43} " DA, "", S20, PRED_SRC),
    ROWS2X(0x5b50, 0x4b50, 0x3650, 0xfff0, "ISET{.BF@44}{.cmp=icmp@49}{.!U32@48}{.X@43}{.bop@45} " DA, "", S20, PRED_SRC),
    ROWS2X(0x5b60, 0x4b60, 0x3660, 0xfff0, "ISETP{.cmp=icmp@49}{.!U32@48}{.X@43}{.bop@45} " PRED_DST "{a:R@8}, ", "", S20,
           PRED_SRC),
    ROWS3(0x5b40, 0x4b40, 0x5340, 0x3640, 0xfff0, "ICMP{.cmp=icmp@49}{.!U32@48} {d:R@0}, {a:R@8}, ", "", S20, "", ""),
    ROWS2(0x48, "SHL{.W@39}{.X@43} " DA, "", S20, ""),
    ROWS2(0x28, "SHR{.!U32@48}{.W@39}{.ext=shrx@43}{.BREV@40} " DA, "", S20, ""),
    {0x5bf8, 0xfff8, 0, "SHF.L{.W@50}{.lim=maxshift@37}{.ext=xhi@48} " DA "{b:R@20}, {c:R@39}"},
    {0x36f8, 0xfff8, 0, "SHF.L{.W@50}{.lim=maxshift@37}{.ext=xhi@48} " DA "{b:U@20:6}, {c:R@39}"},
    {0x5cf8, 0xfff8, 0, "SHF.R{.W@50}{.lim=maxshift@37}{.ext=xhi@48} " DA "{b:R@20}, {c:R@39}"},
    {0x38f8, 0xfff8, 0, "SHF.R{.W@50}{.lim=maxshift@37}{.ext=xhi@48} " DA "{b:U@20:6}, {c:R@39}"},
    ROWS2(0x00, "BFE{.!U32@48}{.BREV@40} " DA, "", S20, ""),
    ROWS3(0x5bf0, 0x4bf0, 0x53f0, 0x36f0, 0xfff8, "BFI " DA, "", S20, "", ""),
    ROWS2N(0x30, "FLO{.!U32@48}{.SH@41} " D, "~@40", S20 "{.INV@40}", ""),
    ROWS2N(0x08, "POPC {d:R@0}, ", "~@40", S20 "{.INV@40}", ""),
    ROWS2(0x40, "LOP{.logic=lop@41}{.X@43}{.pop@44} <{p:P@48=7}, >" D "{a:R@8 ~@39}, ", "~@40", S20 "{.INV@40}", ""),
    {0x0400, 0xfc00, 0, "LOP32I{.logic=lop@53}{.X@57} {d:R@0}{.CC@52}, {a:R@8 ~@55}, {b:U@20:32}{.INV@56}"},
    {0x5be0, 0xfff8, 0, "LOP3.LUT{.X@38}{.pop@36} <{p:P@48=7}, >" DA "{b:R@20}, {c:R@39}, {i:U@28:8}"},
    {0x0200, 0xfe00, 0, "LOP3.LUT{.X@56} " DA CONST("") ", {c:R@39}, {i:U@48:8}"},
    {0x3c00, 0xfc00, 0, "LOP3.LUT{.X@57} " DA S20 ", {c:R@39}, {i:U@48:8}"},
    {0x5bd0, 0xfff8, 0, "LEA{.X@46} <{p:P@48=7}, >" D "{a:R@8 -@45}, {b:R@20}<, {i:U@39:5}>"},
    {0x4bd0, 0xfff8, 0, "LEA{.X@46} <{p:P@48=7}, >" D "{a:R@8 -@45}, " CONST("") "<, {i:U@39:5}>"},
    {0x36d0, 0xfef8, 0, "LEA{.X@46} <{p:P@48=7}, >" D "{a:R@8 -@45}, " S20 "<, {i:U@39:5}>"},
    {0x5bd8, 0xfff8, 0, "LEA.HI{.X@38} <{p:P@48=7}, >" D "{a:R@8 -@37}, {b:R@20}, {c:R@39}<, {i:U@28:5}>"},
    {0x1800, 0xfc00, 0, "LEA.HI{.X@57} <{p:P@48=7}, >" D "{a:R@8 -@56}, " CONST("") ", {c:R@39}<, {i:U@51:5}>"},
    ROWS3(0x5bc0, 0x4bc0, 0x53c0, 0x36c0, 0xfff0, "PRMT{.prmt@48} {d:R@0}, {a:R@8}, ", "", S20, "", ""),
    ROWS2(0xa0, "SEL {d:R@0}, {a:R@8}, ", "", S20, PRED_SRC),
    ROWS2(0x98, "MOV {d:R@0}, ", "", S20, "<, {i:U@39:4=15}>"),
    {0x0100, 0xfff0, 0, "MOV32I {d:R@0}, {b:U@20:32}<, {i:U@12:4=15}>"},
    /* ---- conversions */
    F2F_SAME("1", " .h1@41 w", "{b:H@20:16}" FNEG "{.H1@41}"),
    F2F_SAME("2", "", F20 FNEG),
    F2F_SAME("3", "", D20 FNEG),
    FROM_FLOAT(NR, 0xa8, "F2F{.FTZ@44}{.dtype=ftype@8}{.stype=ftype@10}{.rnd@39}{.SAT@50} " D, ".h1@41 w", "", "{?42}"),
    FROM_FLOAT(NR, 0xb0, "F2I{.FTZ@44}{.dtype=i16type@8:2,12}{.stype=ftype@10}{.rnd=irnd@39} " D, ".h1@41 w", ".h1@41 w", "{?42}"),
    FROM_INTEGER(0xb8, "I2F{.dtype=ftype@8}{.stype=i64type@10:2,13}{.rnd@39} " D),
    FROM_INTEGER(0xe0, "I2I{.dtype=i32type@8:2,12}{.stype=i32type@10:2,13}{.SAT@50} " D),
    /* ---- scalar video */
    VIDEO(0x2000, 0xfc00, ET_ROW_ALIAS, "VADD{.!UD@54}", "VADD{.!UD@54}", ".PO{.SAT@55}{.op=vop@51}", D, "", "", "U",
          ", {c:R@39}{#56:2=3}"),
    VIDEO(0x2000, 0xfc00, 0, "VADD{.!UD@54}", "VADD{.!UD@54}", "{.SAT@55}{.op=vop@51}", D, "-@57", "-@56", "U", ", {c:R@39}"),
    VIDEO(0x5400, 0xff00, 0, "VABSDIFF{.SD@54}", "VABSDIFF{.SD@54}", "{.SAT@55}{.op=vop@51}", D, "", "", "S", ", {c:R@39}"),
    VIDEO(0x3a00, 0xfe00, 0, "VMNMX{.!UD@54}", "VMNMX{.!UD@54}", "{.MX@56}{.SAT@55}{.op=vop@51}", D, "", "", "S", ", {c:R@39}"),
    VIDEO(0x4000, 0xfe00, 0, "VSET{.cmp=icmp@54}", "VSET{.cmp=icmp@54}", "{.op=vop@51}", D, "", "", "S", ", {c:R@39}"),
    VIDEO_SHIFT(0x5700, "VSHL{.!UD@54}", "{.SAT@55}{.op=vop@51}"),
    VIDEO_SHIFT(0x5600, "VSHR{.!UD@54}", "{.SAT@55}{.op=vop@51}"),
    VIDEO_F(0x5f00, 0xff00, ET_ROW_ALIAS, ET_ROW_ALIAS | NR, "VMAD", "VMAD", ".PO{.shift=vshift@51}{.SAT@55}", D, "", "", "U",
          ", {c:R@39}{#53:2=3}"),
    VIDEO_F(0x5f00, 0xff00, 0, NR, "VMAD", "VMAD", "{.shift=vshift@51}{.SAT@55}", D, "-@54", "", "U", ", {c:R@39 -@53}"),
    VIDEO(0x50f0, 0xfff8, 0, "VSETP{.cmp=icmp@43:2,47}", "VSETP{.cmp=icmp@43:2,47}.S32.S16", "{.bop@45}", PRED_DST, "", "", "S",
          PRED_SRC),
    {0x5000, 0xff80, 0,
     "VABSDIFF4{.SD@38}{.type=v4@48:2}{.SAT@50}{.acc@53}{.lanes@36:2,51:2} " D
     "{a:R@8 .va4@32}, {b:R@20 .vb4@28}, {c:R@39}"},
    {0x5000, 0xff80, ET_ROW_ALIAS,
     "VABSDIFF4{.SD@38}{.type=v4@48:2}{.SAT@50}{.acc@53}{.lanes@36:2,51:2} " D
     "{a:R@8 .va4@32}, {b:U@20:8}, {c:R@39}{#28:4=15}{#49=0}"},
    {0x5000, 0xff80, ET_ROW_ALIAS,
     "VABSDIFF4{.SD@38}{.type=v4@48:2}{.SAT@50}{.acc@53}{.lanes@36:2,51:2} " D
     "{a:R@8 .va4@32}, {b:S@20:8}, {c:R@39}{#28:4=15}{#49=1}"},
    /* ---- predicates, condition codes, special registers */
    {0x5088, 0xfff8, 0, "PSET{.BF@44}{.bop2=bop@24}{.bop@45} " D "{a:P@12 !@15}, {b:P@29 !@32}" PRED_SRC},
    {0x5090, 0xfff8, 0, "PSETP{.bop2=bop@24}{.bop@45} " PRED_DST "{a:P@12 !@15}, {b:P@29 !@32}" PRED_SRC},
    {0x5098, 0xfff8, 0, "CSET{.BF@44}{.cond=ccode@8}{.bop@45} " D "CC" PRED_SRC},
    {0x50a0, 0xfff8, 0, "CSETP{.cond=ccode@8}{.bop@45} " PRED_DST "CC" PRED_SRC},
    ROWS2(0xe8, "P2R{.part=bsel@41} {d:R@0}, {p:T.prcc@40}, {a:R@8}, ", "", S20, ""),
    ROWS2(0xf0, "R2P {p:T.prcc@40}, {a:R@8 .bsel@41}, ", "", "{b:U@20:19,56}", ""),
    {0xf0c8, 0xfff8, 0, "S2R {d:R@0}, {i:T.sr@20}"},
    {0x50c8, 0xfff8, 0, "CS2R {d:R@0}, {i:T.sr@20}"},
    {0x50d0, 0xfff8, 0, "LEPC {d:R@0}"},
    {0xf0b8, 0xfff8, 0, "B2R {d:R@0}, {i:U@8:8}{#32:2=0}{?45:3}"},
    {0xf0b8, 0xfff8, 0, "B2R.RESULT {d:R@0}<, {p:P@45=7}>{#32:2=1}{#8:8=255}"},
    {0xf0b8, 0xfff8, 0, "B2R.WARP {d:R@0}{#32:2=2}{#8:8=255}{?45:3}"},
    {0xf0c0, 0xfff8, NR, "R2B{.mode=r2b@32} {i:U@28:4}, {b:R@20}"},
    {0x50d8, 0xfff8, ET_ROW_ALIAS, "VOTE{.vote@48} {p:P@45}, {s:P@39 !@42}{#0:8=255}"},
    {0x50d8, 0xfff8, 0, "VOTE{.vote@48} {d:R@0}, {p:P@45}, {s:P@39 !@42}"},
    {0x50e0, 0xfff8, 0, "VOTE.VTG{.mode=vtg@48} {i:U@20:28}"},
    {0xef10, 0xfff8, NR, "SHFL{.shfl@30} {p:P@48}, {d:R@0}, {a:R@8}, {b:R@20}, {c:R@39}{#28:2=0}"},
    {0xef10, 0xfff8, NR, "SHFL{.shfl@30} {p:P@48}, {d:R@0}, {a:R@8}, {b:U@20:5}, {c:R@39}{#28:2=1}"},
    {0xef10, 0xfff8, NR, "SHFL{.shfl@30} {p:P@48}, {d:R@0}, {a:R@8}, {b:R@20}, {c:U@34:13}{#28:2=2}"},
    {0xef10, 0xfff8, NR, "SHFL{.shfl@30} {p:P@48}, {d:R@0}, {a:R@8}, {b:U@20:5}, {c:U@34:13}{#28:2=3}"},
    /* ---- memory */
    MEM(0x8000, 0xe000, "LD{.E@52}{.cache=ldcache@56}{.size=lsize@53} {d:R@0}, ", "20:32", "<, {p:P@58=7}>"),
    MEM(0xa000, 0xe000, "ST{.E@52}{.cache=stcache@56}{.size=msize@53} ", "20:32", ", {d:R@0}<, {p:P@58=7}>"),
    MEM(0xeed0, 0xfff8, "LDG{.E@45}{.cache=ldcache@46}{.size=lsize@48} {d:R@0}, ", "20:24", ""),
    MEM(0xeec8, 0xfff8, "LDG{.E@45}{.cache=ldcache@46}{.size=lsize@48} {p:T.np@41}, {d:R@0}, ", "20:20", ""),
    MEM(0xeed8, 0xfff8, "STG{.E@45}{.cache=stcache@46}{.size=msize@48} ", "20:24", ", {d:R@0}"),
    MEM(0xef40, 0xfff8, "LDL{.cache=llcache@44}{.size=msize@48} {d:R@0}, ", "20:24", ""),
    MEM(0xef50, 0xfff8, "STL{.cache=stcache@44}{.size=msize@48} ", "20:24", ", {d:R@0}"),
    MEM(0xef48, 0xfff8, "LDS{.size=msize@48} {d:R@0}, ", "20:24", "{#44=0}"),
    MEM(0xef48, 0xfff8, "LDS{.U@44}{.size=usize@48} {d:R@0}, ", "20:24", "{#44=1}"),
    MEM(0xef58, 0xfff8, "STS{.size=msize@48} ", "20:24", ", {d:R@0}"),
    {0xef90, 0xfff8, ET_ROW_ALIAS | NR, "LDC{.size=csize@48}{.mode=ldcmode@44} {d:R@0}, c[{b:U@36:5}][{o:S@20:16}]{#8:8=255}"},
    {0xef90, 0xfff8, NR, "LDC{.size=csize@48}{.mode=ldcmode@44} {d:R@0}, c[{b:U@36:5}]" ADDRESS("S@20:16")},
    MEM(0xed00, 0xff00, "ATOM{.E@48}{.op=aop@52}{.type=atype@49} {d:R@0}, ", "28:20", ", {b:R@20}"),
    {0xee60, 0xfff0, NR, "ATOM{.E@48}{.op=aop@44}{.type=atype@49:3} {p:T.np@41}, {d:R@0}, [{a:R@8}], {b:R@20}"},
    CAS_MEM(0xeef0, 0xfff0, "ATOM{.E@48}.CAS", "28:20", "49", "50"),
    CAS_ROWS(0, 0xee70, 0xfff0, "ATOM{.E@48}.CAS", "{p:T.np@41}, {d:R@0}, [{a:R@8}]", "49", "50"),
    MEM(0xec00, 0xff00, "ATOMS{.op=aops@52}{.type=stype@28} {d:R@0}, ", "30:22 *4", ", {b:R@20}"),
    CAS_MEM(0xee00, 0xffe8, "ATOMS.CAST", "30:22 *4", "52", "28"),
    CAS_MEM(0xee20, 0xffe8, "ATOMS.CAST.SPIN", "30:22 *4", "52", "28"),
    CAS_MEM(0xee40, 0xffe8, "ATOMS.CAS", "30:22 *4", "52", "28"),
    MEM(0xebf8, 0xfff8, "RED{.E@48}{.op=rop@23}{.type=atype@20} ", "28:20", ", {d:R@0}"),
    MEM(0xef60, 0xffe0, "CCTL{.E@52}{.kind=ctype@4}{.op=cctl@0} ", "22:30 *4", ""),
    {0xef60, 0xffe0, ET_ROW_ALIAS | NR, "CCTL{.E@52}{.kind=ctype@4}.QRY1[{a:R@8 z}{o:U@22:30 *4 +}]{#0:4=0}{#8:8=255}"},
    {0xef60, 0xffe0, ET_ROW_ALIAS | NR, "CCTL{.E@52}{.kind=ctype@4}.QRY1[{a:R@8 z}{o:S@22:30 *4 +}]{#0:4=0}"},
    {0xef60, 0xffe0, ET_ROW_ALIAS | NR, "CCTL{.E@52}{.kind=ctype@4}.IVALL{#0:4=6}{#8:8=255}"},
    MEM(0xef80, 0xfff8, "CCTLL{.op=cctl@0} ", "22:22 *4", ""),
    {0xef80, 0xfff8, ET_ROW_ALIAS | NR, "CCTLL.IVALL{#0:4=6}{#8:8=255}"},
    {0xebf0, 0xfff8, NR, "CCTLT.IVTH {t:U@36:13}{#0:2=1}"},
    {0xebf0, 0xfff8, NR, "CCTLT.IVALL{#0:2=0}"},
    {0xebe8, 0xfff8, NR, "CCTLT.IVTH {c:R@39}{#0:2=1}"},
    {0xef98, 0xfff8, 0, "MEMBAR{.membar@8}{.mode=ivall@0}"},
    /* ---- textures and surfaces */
    {0xc000, 0xf800, NR, "TEX{.lod@55}{.LC@58}{.AOFFI@54}{.DC@50}{.NDV@35}{.NODEP@49}{.phase@r}" TEX_BOUND},
    {0xde80, 0xffc0, NR, "TEX.B{.lod@37}{.LC@40}{.AOFFI@36}{.DC@50}{.NDV@35}{.NODEP@49}{.phase@r}" TEX_HANDLE},
    {0xdc00, 0xff00, NR, "TLD{.lod=tldlod@55}{.AOFFI@35}{.MS@50}{.CL@54}{.NODEP@49}{.phase@r}" TEX_BOUND},
    {0xdd00, 0xff00, NR, "TLD.B{.lod=tldlod@55}{.AOFFI@35}{.MS@50}{.CL@54}{.NODEP@49}{.phase@r}" TEX_HANDLE},
    {0xc800, 0xfc00, NR, "TLD4{.comp@56}{.offs=toffs@54}{.DC@50}{.NDV@35}{.NODEP@49}{.phase@r}" TEX_BOUND},
    {0xdec0, 0xffc0, NR, "TLD4{.comp@38}.B{.offs=toffs@36}{.DC@50}{.NDV@35}{.NODEP@49}{.phase@r}" TEX_HANDLE},
    {0xde00, 0xffc0, NR, "TXD{.LC@50}{.AOFFI@35}{.NODEP@49}{.phase@r} <{p:P@51=7}, >{d:R@0}, {a:R@8}, {b:R@20}, {t:U@36:13}" TEX_TAIL},
    {0xde40, 0xffc0, NR, "TXD.B{.LC@50}{.AOFFI@35}{.NODEP@49}{.phase@r} <{p:P@51=7}, >{d:R@0}, {a:R@8}, {b:R@20}, 0x0" TEX_TAIL},
    {0xdf58, 0xfff8, NR, "TMML.LOD{.NDV@35}{.NODEP@49}{.phase@r} {d:R@0}, {a:R@8}, {t:U@36:13}{?20:8}" TEX_TAIL},
    {0xdf60, 0xfff8, NR, "TMML.B.LOD{.NDV@35}{.NODEP@49}{.phase@r} {d:R@0}, {a:R@8}<, {b:R@20}>, 0x0" TEX_TAIL},
    {0xdf48, 0xfff8, NR, "TXQ{.NODEP@49}{.phase@r} {d:R@0}, {a:R@8}, {x:T.query@22}, {t:U@36:13}, {m:U@31:4}"},
    {0xdf50, 0xfff8, NR, "TXQ.B{.NODEP@49}{.phase@r} {d:R@0}, {a:R@8}, {x:T.query@22}, 0x0, {m:U@31:4}"},
    {0xdf40, 0xfff8, NR, "TXA{.NDV@35}{.NODEP@49}{.phase@r} {d:R@0}, {a:R@8}, {t:U@36:13}, {m:U@31:4}"},
    SHORT(0xd000, "TEXS", ".LZ", "1D", "0"),
    SHORT(0xd000, "TEXS", "", "2D", "1"),
    SHORT(0xd000, "TEXS", ".LZ", "2D", "2"),
    SHORT(0xd000, "TEXS", ".LL", "2D", "3"),
    SHORT(0xd000, "TEXS", ".DC", "2D", "4"),
    SHORT(0xd000, "TEXS", ".LL.DC", "2D", "5"),
    SHORT(0xd000, "TEXS", ".LZ.DC", "2D", "6"),
    SHORT(0xd000, "TEXS", "", "ARRAY_2D", "7"),
    SHORT(0xd000, "TEXS", ".LZ", "ARRAY_2D", "8"),
    SHORT(0xd000, "TEXS", ".LZ.DC", "ARRAY_2D", "9"),
    SHORT(0xd000, "TEXS", "", "3D", "10"),
    SHORT(0xd000, "TEXS", ".LZ", "3D", "11"),
    SHORT(0xd000, "TEXS", "", "CUBE", "12"),
    SHORT(0xd000, "TEXS", ".LL", "CUBE", "13"),
    SHORT(0xd200, "TLDS", ".LZ", "1D", "0"),
    SHORT(0xd200, "TLDS", ".LL", "1D", "1"),
    SHORT(0xd200, "TLDS", ".LZ", "2D", "2"),
    SHORT(0xd200, "TLDS", ".LZ.AOFFI", "2D", "4"),
    SHORT(0xd200, "TLDS", ".LL", "2D", "5"),
    SHORT(0xd200, "TLDS", ".LZ.MS", "2D", "6"),
    SHORT(0xd200, "TLDS", ".LZ", "3D", "7"),
    SHORT(0xd200, "TLDS", ".LZ", "ARRAY_2D", "8"),
    SHORT(0xd200, "TLDS", ".LL.AOFFI", "2D", "12"),
    {0xdf00, 0xff40, NR, "TLD4S{.comp@52}{.AOFFI@51}{.DC@50}{.NODEP@49}{.phase@r} {e:R@28}, {d:R@0}, {a:R@8}, {b:R@20}, {t:U@36:13}{#55=0}"},
    {0xdf00, 0xff40, NR, "TLD4S.F16{.comp@52}{.AOFFI@51}{.DC@50}{.NODEP@49}{.phase@r} {e:R@28}, {d:R@0}, {a:R@8}, {b:R@20}, {t:U@36:13}{#55=1}"},
    SU_ROWS(0xeb00, SU_HEAD("SULD.P") "{.cache=ldcache@24}{.mask=sumask@20}" SU_CLAMP " <{p:T.np@30}, >{d:R@0}, [{a:R@8}]", ""),
    SU_ROWS(0xeb10, SU_HEAD("SULD.D{.BA@23}") "{.cache=ldcache@24}{.size=msize@20}" SU_CLAMP " <{p:T.np@30}, >{d:R@0}, [{a:R@8}]", ""),
    SU_ROWS(0xeb20, SU_HEAD("SUST.P") "{.cache=stcache@24}{.mask=sumask@20}" SU_CLAMP " [{a:R@8}], {d:R@0}", ""),
    SU_ROWS(0xeb30, SU_HEAD("SUST.D{.BA@23}") "{.cache=stcache@24}{.size=msize@20}" SU_CLAMP " [{a:R@8}], {d:R@0}", ""),
    SU_ROWS(0xeb40, SU_HEAD("SURED.P") "{.op=rop@24}" SU_CLAMP " [{a:R@8}], {d:R@0}", "{?20:4}"),
    SU_ROWS(0xeb50, SU_HEAD("SURED.D{.BA@23}") "{.op=rop@24}{.type=sutype@20}" SU_CLAMP " [{a:R@8}], {d:R@0}", ""),
    {0xea00, 0xffc0, NR, SU_HEAD("SUATOM.D{.BA@28}") "{.op=aops@29}{.type=sutype@51}" SU_CLAMP " {d:R@0}, [{a:R@8}], {b:R@20}, {t:U@36:13}"},
    {0xea80, 0xffc0, NR, SU_HEAD("SUATOM.D{.BA@28}") ".CAS{.type=sutype@51}" SU_CLAMP " {d:R@0}, [{a:R@8}], {b:R@20}, {t:U@36:13}"},
    SU_ROWS(0xea60, SU_HEAD("SUATOM.P") "{.op=aops@29}" SU_CLAMP " {d:R@0}, [{a:R@8}], {b:R@20}", ""),
    SU_ROWS(0xeac0, SU_HEAD("SUATOM.P") ".CAS" SU_CLAMP " {d:R@0}, [{a:R@8}], {b:R@20}", ""),
    {0xea70, 0xfff8, NR, SU_HEAD("SUATOM.D{.BA@28}") "{.op=aops@29}{.type=sutype@36}" SU_CLAMP " {d:R@0}, [{a:R@8}], {b:R@20}, {c:R@39}"},
    {0xead0, 0xfff8, NR, SU_HEAD("SUATOM.D{.BA@28}") ".CAS{.type=sutype@36}" SU_CLAMP " {d:R@0}, [{a:R@8}], {b:R@20}, {c:R@39}"},
    {0xeb80, 0xffc0, NR, SU_HEAD("SUATOM.D{.BA@28}") "{.op=aops@29}{.type=sutype@36}" SU_CLAMP " {p:T.np@51}, {d:R@0}, [{a:R@8}], {b:R@20}, {c:R@39}"},
    /* ---- graphics */
    {0xefd8, 0xfff8, ET_ROW_ALIAS | NR, "ALD{.O@32}{.P@31}{.asize@47} {d:R@0}, a[{a:R@8 z}{o:U@20:10 +}]<, {c:R@39}>{#8:8=255}{?30}"},
    {0xefd8, 0xfff8, NR, "ALD{.O@32}{.P@31}{.asize@47} {d:R@0}, a[{a:R@8 z}{o:S@20:11 +}]<, {c:R@39}>{#31=1}"},
    {0xefd8, 0xfff8, NR, "ALD{.O@32}.PHYS{.asize@47} {d:R@0}, a[{a:R@8}]<, {c:R@39}>{#31=0}{#20:11=0}"},
    {0xeff0, 0xfff8, ET_ROW_ALIAS | NR, "AST{.P@31}{.asize@47} a[{a:R@8 z}{o:U@20:10 +}], {d:R@0}<, {c:R@39}>{#8:8=255}{?30}{?32}"},
    {0xeff0, 0xfff8, NR, "AST{.P@31}{.asize@47} a[{a:R@8 z}{o:S@20:11 +}], {d:R@0}<, {c:R@39}>{#31=1}{?32}"},
    {0xeff0, 0xfff8, NR, "AST.PHYS{.asize@47} a[{a:R@8}], {d:R@0}<, {c:R@39}>{#31=0}{#20:11=0}{?32}"},
    {0xefa0, 0xfff8, ET_ROW_ALIAS | NR, "AL2P{.O@32}{.asize@47} <{p:P@44=7}, >{d:R@0}<, {o:U@20:10}>{#8:8=255}{?30}"},
    {0xefa0, 0xfff8, NR, "AL2P{.O@32}{.asize@47} <{p:P@44=7}, >{d:R@0}, {a:R@8}<, {o:S@20:11}>"},
    {0xe000, 0xff00, NR, "IPA{.interp=ipa@54}{.sample=ipaloc@52}{.SAT@51} {d:R@0}, a[{o:U@28:10}], {b:R@20}<, {c:R@39}><, {s:P@47=7 !@50}>{#38=0}{#8:8=255}"},
    {0xe000, 0xff00, NR, "IPA.IDX{.interp=ipa@54}{.sample=ipaloc@52}{.SAT@51} {d:R@0}, a[{a:R@8}], {b:R@20}<, {c:R@39}>, {s:P@47 !@50}{#38=1}{?28:10}"},
    {0xefd0, 0xfff8, NR, "ISBERD{.O@32}{.mode=isbmode@33}{.SKEW@31}{.size=isbsize@47} {d:R@0}, [{a:R@8}]"},
    {0xfbe0, 0xfff8, NR, "OUT{.out@39} {d:R@0}, {a:R@8}, {b:R@20}"},
    {0xebe0, 0xfff8, NR, "OUT{.out@39} {d:R@0}, {a:R@8}, " CONST("")},
    {0xf6e0, 0xfef8, NR, "OUT{.out@39} {d:R@0}, {a:R@8}, " S20},
    MEM(0xefe8, 0xfff8, "PIXLD{.pixld@31} {d:R@0}, <{p:P@45=7}, >", "20:8", ""),
    {0xeea0, 0xfff8, ET_ROW_NO_GUARD, "STP{.WAIT@31} {i:U@20:8}{?16:4}"},
    /* ---- barriers */
    BAR_ROWS("SYNC", "0", ", {b:R@20}", "<, {b:U@20:12}>", "{#39:4=7}"),
    BAR_ROWS("ARV", "1", ", {b:R@20}", ", {b:U@20:12}", "{#39:4=7}"),
    BAR_ROWS("RED.POPC", "2", ", {b:R@20}", "<, {b:U@20:12}>", PRED_SRC "{#35:2=0}"),
    BAR_ROWS("RED.AND", "2", ", {b:R@20}", "<, {b:U@20:12}>", PRED_SRC "{#35:2=1}"),
    BAR_ROWS("RED.OR", "2", ", {b:R@20}", "<, {b:U@20:12}>", PRED_SRC "{#35:2=2}"),
    BAR_ROWS("SCAN", "3", ", {b:R@20}", ", {b:U@20:12}", PRED_SRC),
    {0xf0f0, 0xfff8, 0, "DEPBAR.LE {i:T.sb@26}, {b:U@20:6}<, {m:M@0:6}>{#29=1}"},
    {0xf0f0, 0xfff8, 0, "DEPBAR< {m:M@0:6}>{#29=0}"},
    {0x50b0, 0xfff8, ET_ROW_ALIAS, "NOP{.TRIG@13}< {i:U@20:16}>{#8:5=15}"},
    {0x50b0, 0xfff8, 0, "NOP{.TRIG@13} CC.{n:T.ccode@8}<, {i:U@20:16}>"},
    /* ---- control flow */
    {0xe240, 0xfff0, 0, "BRA{.U@7}{.LMT@6} " CC_ARG "{x:L@20:24}{#5=0}"},
    {0xe240, 0xfff0, 0, "BRA{.U@7}{.LMT@6} " CC_ARG CONST_TARGET},
    {0xe250, 0xfff0, NR, "BRX{.LMT@6} " CC_ARG "{a:R@8}< {x:S@20:24}>{#5=0}"},
    {0xe250, 0xfff0, NR, "BRX{.LMT@6} " CC_ARG "c[{b:U@36:5}][{a:R@8 z}{o:S@20:16 +}]{#5=1}"},
    {0xe210, 0xfff0, 0, "JMP{.U@7}{.LMT@6} " CC_ARG "{x:A@20:32}{#5=0}"},
    {0xe210, 0xfff0, 0, "JMP{.U@7}{.LMT@6} " CC_ARG CONST_TARGET},
    {0xe200, 0xfff0, NR, "JMX{.LMT@6} " CC_ARG "{a:R@8}< {x:S@20:32}>{#5=0}"},
    {0xe200, 0xfff0, NR, "JMX{.LMT@6} " CC_ARG "c[{b:U@36:5}][{a:R@8 z}{o:S@20:16 +}]{#5=1}"},
    {0xe220, 0xfff0, ET_ROW_NO_GUARD, "JCAL{.!NOINC@6} {x:A@20:32}{#5=0}{?0:5}{?16:4}"},
    {0xe220, 0xfff0, ET_ROW_NO_GUARD, "JCAL{.!NOINC@6} " CONST_TARGET "{?0:5}{?16:4}"},
    PUSH_ROWS(0xe260, "CAL{.!NOINC@6}"),
    PUSH_ROWS(0xe270, "PRET{.!NOINC@6}"),
    {0xe230, 0xfff0, ET_ROW_NO_GUARD, "PEXIT {x:L@20:24}{?0:5}{?16:4}"},
    PUSH_ROWS(0xe280, "PLONGJMP"),
    PUSH_ROWS(0xe290, "SSY"),
    PUSH_ROWS(0xe2a0, "PBK"),
    PUSH_ROWS(0xe2b0, "PCNT"),
    {0xe300, 0xfff0, 0, "EXIT{.KEEPREFCOUNT@5}" CC_END},
    {0xe310, 0xfff0, 0, "LONGJMP" CC_END},
    {0xe320, 0xfff0, 0, "RET" CC_END},
    {0xe330, 0xfff0, 0, "KIL" CC_END},
    {0xe340, 0xfff0, 0, "BRK" CC_END},
    {0xe350, 0xfff0, 0, "CONT" CC_END},
    {0xf0f8, 0xfff8, 0, "SYNC" CC_END},
    {0xe360, 0xfff0, ET_ROW_NO_GUARD, "RTT{.mode=rtt@0}"},
    {0xe370, 0xfff0, ET_ROW_NO_GUARD, "SAM{?16:4}"},
    {0xe380, 0xfff0, ET_ROW_NO_GUARD, "RAM{?16:4}"},
    {0xe390, 0xfff0, ET_ROW_NO_GUARD, "IDE{.!EN@5} {i:U@20:16}{?16:4}"},
    {0xe3a0, 0xfff0, ET_ROW_NO_GUARD, "BPT{.mode=bpt@6}< {i:U@20:20}>{?16:4}"},
    {0xe2c0, 0xfff0, ET_ROW_NO_GUARD, "GETCRSPTR {d:R@0}{?16:4}"},
    {0xe2d0, 0xfff0, ET_ROW_NO_GUARD, "GETLMEMBASE {d:R@0}{?16:4}"},
    {0xe2e0, 0xfff0, ET_ROW_NO_GUARD | NR, "SETCRSPTR {a:R@8}{?16:4}"},
    {0xe2f0, 0xfff0, ET_ROW_NO_GUARD | NR, "SETLMEMBASE {a:R@8}{?16:4}"},
};

/* clang-format on */

const struct et_isa_def et_isa_maxwell = {
    .name = "maxwell",
    .kind = ET_ISA_MAXWELL,
    .word_bits = 64,
    .op_pos = 48,
    .op_bits = 16,
    .guard_pos = 16,
    .rz = 255,
    .urz = 63,
    .reuse_pos = {8, 20, 39},
    .suffix_first = 1,
    .bundle = 32,
    .rows = rows,
    .row_count = sizeof rows / sizeof *rows,
    .tables = et_maxwell_tables,
    .table_count = sizeof et_maxwell_tables / sizeof *et_maxwell_tables,
    .lowering = et_maxwell_lowering_of,
};
