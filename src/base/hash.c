#include "base/hash.h"

#include "base/bits.h"

uint64_t et_fnv(uint64_t hash, const void *bytes, size_t count)
{
    const uint8_t *b = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ b[i]) * ET_FNV_PRIME;
    return hash;
}

static uint64_t mix(uint64_t v)
{
    v ^= v >> 32;
    v *= UINT64_C(0x9e3779b97f4a7c15);
    return v ^ (v >> 29);
}

uint64_t et_hash64(uint64_t seed, const void *bytes, size_t count)
{
    const uint8_t *b = bytes;
    uint64_t hash = mix(seed ^ count), tail = 0;
    for (; count >= 8; count -= 8, b += 8)
        hash = mix(hash ^ et_load64(b)) + ET_FNV_PRIME;
    memcpy(&tail, b, count);
    return mix(hash ^ tail);
}

static uint32_t rotate(uint32_t v, unsigned by)
{
    return v >> by | v << (32 - by);
}

static void sha256_block(uint32_t state[8], const uint8_t block[64])
{
    static const uint32_t k[64] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
        0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
        0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
        0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
        0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
        0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
        0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = __builtin_bswap32(et_load32(block + 4 * i));
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(v, state, sizeof v);
    for (int i = 0; i < 64; i++) {
        const uint32_t t1 = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                            ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        const uint32_t t2 = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
                            ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof v[0]);
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        state[i] += v[i];
}

void et_sha256_start(struct et_sha256 *sha)
{
    static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(sha, 0, sizeof *sha);
    memcpy(sha->state, initial, sizeof initial);
}

void et_sha256_add(struct et_sha256 *sha, const void *bytes, size_t count)
{
    const uint8_t *b = bytes;
    while (count) {
        const size_t used = sha->count & 63, part = ET_MIN(64 - used, count);
        memcpy(sha->block + used, b, part);
        sha->count += part;
        b += part;
        count -= part;
        if (used + part == 64)
            sha256_block(sha->state, sha->block);
    }
}

void et_sha256_end(struct et_sha256 *sha, uint8_t digest[32])
{
    static const uint8_t pad[64] = {0x80};
    const uint64_t bits = __builtin_bswap64(sha->count * 8);
    et_sha256_add(sha, pad, 1 + ((55 - sha->count) & 63));
    et_sha256_add(sha, &bits, 8);
    for (int i = 0; i < 8; i++)
        et_store32(digest + 4 * i, __builtin_bswap32(sha->state[i]));
}

void et_sha256_text(const uint8_t digest[32], char text[65])
{
    for (int i = 0; i < 32; i++) {
        text[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        text[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    text[64] = 0;
}
