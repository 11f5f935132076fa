/* Decoders of compressed blocks: bytes to texel codes, rows of the block's width. */
#ifndef ET_TEXTURE_COMPRESSED_H
#define ET_TEXTURE_COMPRESSED_H

#include "texture/format.h"

/* BC1 to BC5 as silicon rounds them. [HW:H200] is_signed: SNORM codes (S16), else U16. */
void et_bc1_block(const uint8_t *bytes, struct et_texel *texels);
void et_bc2_block(const uint8_t *bytes, struct et_texel *texels);
void et_bc3_block(const uint8_t *bytes, struct et_texel *texels);
void et_bc4_block(const uint8_t *bytes, unsigned components, bool is_signed, struct et_texel *texels);
/* BC6H to half bits, BC7 to 8-bit codes. [DOC] */
void et_bc6_block(const uint8_t *bytes, bool is_signed, struct et_texel *texels);
void et_bc7_block(const uint8_t *bytes, struct et_texel *texels);
/* ETC2 to 8-bit codes; EAC to 16-bit codes, SNORM or UNORM. [DOC] */
void et_etc2_block(const uint8_t *bytes, bool punch_through, struct et_texel *texels);
void et_etc2_alpha_block(const uint8_t *bytes, struct et_texel *texels);
void et_eac_block(const uint8_t *bytes, unsigned components, bool is_signed, struct et_texel *texels);
/* ASTC LDR: half bits, or with srgb 8-bit codes of colour. [DOC] */
void et_astc_block(const uint8_t *bytes, unsigned width, unsigned height, bool srgb, struct et_texel *texels);

#endif
