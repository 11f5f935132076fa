/* Hashes: FNV-1a for small keys, a 64-bit block hash for RAM and caches, SHA-256 for truth files. */
#ifndef ET_BASE_HASH_H
#define ET_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define ET_FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define ET_FNV_PRIME UINT64_C(0x100000001b3)

/* FNV-1a over bytes, continued from `hash` (start with ET_FNV_BASIS). */
uint64_t et_fnv(uint64_t hash, const void *bytes, size_t count);
/* A fast 64-bit hash over bytes, the same on every host; not for adversaries. */
uint64_t et_hash64(uint64_t seed, const void *bytes, size_t count);

struct et_sha256 {
    uint32_t state[8];
    uint64_t count;
    uint8_t block[64];
};
/* FIPS 180-4. */
void et_sha256_start(struct et_sha256 *sha);
void et_sha256_add(struct et_sha256 *sha, const void *bytes, size_t count);
void et_sha256_end(struct et_sha256 *sha, uint8_t digest[32]);
/* `digest` as 64 lower-case hexadecimal digits and a terminator. */
void et_sha256_text(const uint8_t digest[32], char text[65]);

#endif
