/* SPDX-License-Identifier: MIT */
/*
 * The start of the Python module for distribution: initialises the variant of the module that fits this CPU. LUFT_CPU
 * names another. Compiled for the oldest CPU; programs/dispatch/main.c describes LUFT_VARIANTS.
 */
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "util/cpu.h"

#include <stdlib.h>

#define VARIANT(name, function) PyObject *function(void);
#include LUFT_VARIANTS
#undef VARIANT

#define VARIANT(name, function) name,
static const char *const names[] = {
#include LUFT_VARIANTS
};
#undef VARIANT

#define VARIANT(name, function) function,
static PyObject *(*const functions[])(void) = {
#include LUFT_VARIANTS
};
#undef VARIANT

enum { COUNT = sizeof names / sizeof names[0] };

PyMODINIT_FUNC PyInit__core(void);

PyMODINIT_FUNC PyInit__core(void) {
    const char *wanted = getenv("LUFT_CPU");
    const cpu_facts cpu = cpu_read();
    const int chosen = cpu_choose(&cpu, names, COUNT, wanted);
    if (chosen < 0) {
        return PyErr_Format(PyExc_ImportError, "LUFT_CPU: %s: %.40s",
                            chosen == -2 ? "this CPU cannot run that variant" : "the package has no such variant",
                            wanted);
    }
    return functions[chosen]();
}
