/* The GE's opcodes: what each does, and the names that public headers give them [DRV]. */
#include "ge/ge.h"

#include <stdio.h>

const uint8_t et_ge_actions[256] = {
    [ET_GE_VADDR] = ET_GE_ADDRESS,
    [ET_GE_IADDR] = ET_GE_ADDRESS,
    [ET_GE_OFFSET] = ET_GE_ADDRESS,
    [ET_GE_ORIGIN] = ET_GE_ADDRESS,
    [ET_GE_PRIM] = ET_GE_SNAPSHOT,
    [ET_GE_BEZIER] = ET_GE_SNAPSHOT,
    [ET_GE_SPLINE] = ET_GE_SNAPSHOT,
    [ET_GE_BOUNDING_BOX] = ET_GE_SNAPSHOT,
    [ET_GE_TRANSFER_START] = ET_GE_SNAPSHOT,
    [ET_GE_LOAD_CLUT] = ET_GE_SNAPSHOT,
    [ET_GE_JUMP] = ET_GE_GO,
    [ET_GE_BJUMP] = ET_GE_GO,
    [ET_GE_CALL] = ET_GE_GO,
    [ET_GE_RET] = ET_GE_GO,
    [ET_GE_END] = ET_GE_STOP,
    [ET_GE_SIGNAL] = ET_GE_NOTE,
    [ET_GE_FINISH] = ET_GE_NOTE,
    [ET_GE_BONE_NUMBER + 1] = ET_GE_MATRIX,
    [ET_GE_WORLD_NUMBER + 1] = ET_GE_MATRIX,
    [ET_GE_VIEW_NUMBER + 1] = ET_GE_MATRIX,
    [ET_GE_PROJECTION_NUMBER + 1] = ET_GE_MATRIX,
    [ET_GE_TEXTURE_NUMBER + 1] = ET_GE_MATRIX,
};

/* clang-format off */
const char *const et_ge_names[256] = {
    [0x00] = "NOP", "VADDR", "IADDR", NULL, "PRIM", "BEZIER", "SPLINE", "BOUNDINGBOX",
    [0x08] = "JUMP", "BJUMP", "CALL", "RET", "END", NULL, "SIGNAL", "FINISH",
    [0x10] = "BASE", NULL, "VERTEXTYPE", "OFFSETADDR", "ORIGIN", "REGION1", "REGION2", "LIGHTINGENABLE",
    [0x18] = "LIGHTENABLE0", "LIGHTENABLE1", "LIGHTENABLE2", "LIGHTENABLE3",
    [0x1c] = "DEPTHCLAMPENABLE", "CULLFACEENABLE", "TEXTUREMAPENABLE", "FOGENABLE",
    [0x20] = "DITHERENABLE", "ALPHABLENDENABLE", "ALPHATESTENABLE", "ZTESTENABLE",
    [0x24] = "STENCILTESTENABLE", "ANTIALIASENABLE", "PATCHCULLENABLE", "COLORTESTENABLE",
    [0x28] = "LOGICOPENABLE", NULL, "BONEMATRIXNUMBER", "BONEMATRIXDATA",
    [0x2c] = "MORPHWEIGHT0", "MORPHWEIGHT1", "MORPHWEIGHT2", "MORPHWEIGHT3",
    [0x30] = "MORPHWEIGHT4", "MORPHWEIGHT5", "MORPHWEIGHT6", "MORPHWEIGHT7",
    [0x36] = "PATCHDIVISION", "PATCHPRIMITIVE", "PATCHFACING", NULL,
    [0x3a] = "WORLDMATRIXNUMBER", "WORLDMATRIXDATA", "VIEWMATRIXNUMBER", "VIEWMATRIXDATA",
    [0x3e] = "PROJMATRIXNUMBER", "PROJMATRIXDATA", "TGENMATRIXNUMBER", "TGENMATRIXDATA",
    [0x42] = "VIEWPORTXSCALE", "VIEWPORTYSCALE", "VIEWPORTZSCALE",
    [0x45] = "VIEWPORTXCENTER", "VIEWPORTYCENTER", "VIEWPORTZCENTER",
    [0x48] = "TEXSCALEU", "TEXSCALEV", "TEXOFFSETU", "TEXOFFSETV", "OFFSETX", "OFFSETY",
    [0x50] = "SHADEMODE", "REVERSENORMAL", NULL, "MATERIALUPDATE", "MATERIALEMISSIVE", "MATERIALAMBIENT",
    [0x56] = "MATERIALDIFFUSE", "MATERIALSPECULAR", "MATERIALALPHA",
    [0x5b] = "MATERIALSPECULARCOEF", "AMBIENTCOLOR", "AMBIENTALPHA", "LIGHTMODE",
    [0x5f] = "LIGHTTYPE0", "LIGHTTYPE1", "LIGHTTYPE2", "LIGHTTYPE3",
    [0x63] = "LX0", "LY0", "LZ0", "LX1", "LY1", "LZ1", "LX2", "LY2", "LZ2", "LX3", "LY3", "LZ3",
    [0x6f] = "LDX0", "LDY0", "LDZ0", "LDX1", "LDY1", "LDZ1", "LDX2", "LDY2", "LDZ2", "LDX3", "LDY3", "LDZ3",
    [0x7b] = "LKA0", "LKB0", "LKC0", "LKA1", "LKB1", "LKC1", "LKA2", "LKB2", "LKC2", "LKA3", "LKB3", "LKC3",
    [0x87] = "LKS0", "LKS1", "LKS2", "LKS3", "LKO0", "LKO1", "LKO2", "LKO3",
    [0x8f] = "LAC0", "LDC0", "LSC0", "LAC1", "LDC1", "LSC1", "LAC2", "LDC2", "LSC2", "LAC3", "LDC3", "LSC3",
    [0x9b] = "CULL", "FRAMEBUFPTR", "FRAMEBUFWIDTH", "ZBUFPTR", "ZBUFWIDTH",
    [0xa0] = "TEXADDR0", "TEXADDR1", "TEXADDR2", "TEXADDR3", "TEXADDR4", "TEXADDR5", "TEXADDR6", "TEXADDR7",
    [0xa8] = "TEXBUFWIDTH0", "TEXBUFWIDTH1", "TEXBUFWIDTH2", "TEXBUFWIDTH3",
    [0xac] = "TEXBUFWIDTH4", "TEXBUFWIDTH5", "TEXBUFWIDTH6", "TEXBUFWIDTH7",
    [0xb0] = "CLUTADDR", "CLUTADDRUPPER", "TRANSFERSRC", "TRANSFERSRCW", "TRANSFERDST", "TRANSFERDSTW",
    [0xb8] = "TEXSIZE0", "TEXSIZE1", "TEXSIZE2", "TEXSIZE3", "TEXSIZE4", "TEXSIZE5", "TEXSIZE6", "TEXSIZE7",
    [0xc0] = "TEXMAPMODE", "TEXSHADELS", "TEXMODE", "TEXFORMAT", "LOADCLUT", "CLUTFORMAT", "TEXFILTER",
    [0xc7] = "TEXWRAP", "TEXLEVEL", "TEXFUNC", "TEXENVCOLOR", "TEXFLUSH", "TEXSYNC",
    [0xcd] = "FOG1", "FOG2", "FOGCOLOR", "TEXLODSLOPE",
    [0xd2] = "FRAMEBUFPIXFORMAT", "CLEARMODE", "SCISSOR1", "SCISSOR2", "MINZ", "MAXZ",
    [0xd8] = "COLORTEST", "COLORREF", "COLORTESTMASK", "ALPHATEST", "STENCILTEST", "STENCILOP", "ZTEST",
    [0xdf] = "BLENDMODE", "BLENDFIXEDA", "BLENDFIXEDB", "DITH0", "DITH1", "DITH2", "DITH3",
    [0xe6] = "LOGICOP", "ZWRITEDISABLE", "MASKRGB", "MASKALPHA",
    [0xea] = "TRANSFERSTART", "TRANSFERSRCPOS", "TRANSFERDSTPOS", NULL, "TRANSFERSIZE",
    [0xf0] = "VSCX", "VSCY", "VSCZ", "VTCS", "VTCT", "VTCQ", "VCV", "VAP", "VFC", "VSCV",
};
/* clang-format on */

/* Names of SIGNAL behaviours; the index of a texture in the low three bits. */
static const char *signal_name(uint32_t behaviour)
{
    switch (behaviour) {
    case 0x01:
        return "SUSPEND";
    case 0x02:
        return "CONTINUE";
    case 0x03:
        return "PAUSE";
    case 0x08:
        return "SYNC";
    case 0x10:
        return "JUMP";
    case 0x11:
        return "CALL";
    case 0x12:
        return "RET";
    case 0x13:
        return "JUMP relative";
    case 0x14:
        return "CALL relative";
    case 0x15:
        return "JUMP from origin";
    case 0x16:
        return "CALL from origin";
    case 0x30:
    case 0x38:
        return "CLUT address";
    case 0xf0:
    case 0xff:
        return "breakpoint";
    default:
        return (behaviour & 0xf0) == 0x20 ? "texture address" : "unknown";
    }
}

/* The others say no more with a 0 behind them. */
static bool takes_argument(uint32_t opcode)
{
    return opcode && opcode != ET_GE_RET && opcode != ET_GE_END && opcode != ET_GE_FINISH;
}

void etalon_ge_describe(uint32_t command, char *text, size_t size)
{
    const uint32_t opcode = command >> 24, argument = et_bits(command, 23, 0);
    if (opcode == ET_GE_SIGNAL)
        snprintf(text, size, "SIGNAL %s (0x%02x), value 0x%04x", signal_name(et_bits(command, 23, 16)),
                 et_bits(command, 23, 16), et_bits(command, 15, 0));
    else if (opcode == ET_GE_PRIM)
        snprintf(text, size, "PRIM type %u, %u vertices", et_bits(command, 18, 16), et_bits(command, 15, 0));
    else if (!et_ge_names[opcode])
        snprintf(text, size, "opcode 0x%02x 0x%06x", opcode, argument);
    else if (argument || takes_argument(opcode))
        snprintf(text, size, "%s 0x%06x", et_ge_names[opcode], argument);
    else
        snprintf(text, size, "%s", et_ge_names[opcode]);
}
