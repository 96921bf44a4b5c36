/* SPDX-License-Identifier: MIT */
/* Memory in whole pages, large ones if the user may lock memory; mapped files; the number of processors. */
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <windows.h>

/* Large pages need a privilege, which an administrator gives and a program must switch on. */
static bool may_lock_memory(void) {
    HANDLE token;
    bool good = false;
    if (OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES | TOKEN_QUERY, &token)) {
        TOKEN_PRIVILEGES wanted = {.PrivilegeCount = 1, .Privileges = {{.Attributes = SE_PRIVILEGE_ENABLED}}};
        good = LookupPrivilegeValueW(NULL, L"SeLockMemoryPrivilege", &wanted.Privileges[0].Luid) &&
               AdjustTokenPrivileges(token, FALSE, &wanted, 0, NULL, NULL) && GetLastError() == ERROR_SUCCESS;
        CloseHandle(token);
    }
    return good;
}

static void *allocate(size_t size) {
    const size_t large = GetLargePageMinimum();
    void *memory = NULL;
    if (large > 0 && size % large == 0 && may_lock_memory()) {
        memory = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT | MEM_LARGE_PAGES, PAGE_READWRITE);
    }
    return memory ? memory : VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

static void *map_file(size_t size, int descriptor, off_t offset) {
    const HANDLE mapping = CreateFileMappingW((HANDLE)_get_osfhandle(descriptor), NULL, PAGE_READONLY, 0, 0, NULL);
    void *memory = NULL;
    if (mapping) {
        memory = MapViewOfFile(mapping, FILE_MAP_READ, (DWORD)((uint64_t)offset >> 32), (DWORD)offset, size);
        CloseHandle(mapping); /* the view keeps it */
    }
    return memory;
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset) {
    (void)address, (void)protection;
    void *memory = flags & MAP_ANONYMOUS ? allocate(size) : map_file(size, descriptor, offset);
    return memory ? memory : MAP_FAILED;
}

int munmap(void *memory, size_t size) {
    (void)size;
    return UnmapViewOfFile(memory) || VirtualFree(memory, 0, MEM_RELEASE) ? 0 : -1;
}

long posix_processors(void) {
    return (long)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}
