#!/bin/sh
# shaders.sh FILE.glsl > shaders.h: the parts that `//@ NAME` lines begin, as SPIR-V words.
set -eu
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
awk -v dir="$dir" '/^\/\/@ /{name=$2; print "#version 450" > dir "/" name; next} {print > dir "/" name}' "$1"
echo '#include <stdint.h>'
echo 'typedef struct { const char *name; const uint32_t *words; unsigned bytes; } Spv;'
for f in "$dir"/*; do
    n=sh_$(basename "$f" | tr . _)
    glslangValidator -V --target-env vulkan1.1 --vn "$n" -o "$f.h" "$f" >&2
    sed 's/^const uint32_t/static const uint32_t/' "$f.h"
done
echo 'static const Spv spvs[] = {'
for f in "$dir"/*.h; do
    b=$(basename "$f" .h)
    n=sh_$(echo "$b" | tr . _)
    echo "    {\"$b\", $n, sizeof $n},"
done
echo '};'
