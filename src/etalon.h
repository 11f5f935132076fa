/* Etalon: a GPU made of software. The public API. */
#ifndef ETALON_H
#define ETALON_H

#include "etalon-error.h"

#endif
