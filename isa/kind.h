/* The two families of instruction sets. */
#ifndef ET_ISA_KIND_H
#define ET_ISA_KIND_H

enum et_isa_kind { ET_ISA_MAXWELL, ET_ISA_AMPERE, ET_ISA_COUNT };

#endif
