/* SPDX-License-Identifier: MIT */
/*
 * The start of a program on Windows: arguments in UTF-8, standard files without translation of line ends, a console that
 * shows UTF-8 and colours, a clock of one millisecond. Also standard_files_prepare, in place of util/standard_files.c.
 */
#include "util/standard_files.h"
#include "wide.h"

#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <windows.h>

#include <shellapi.h>

void standard_files_prepare(void) {
    /* main has done it: the files must be ready before any output. */
}

static void set_default(const char *name, const char *value) {
    char setting[MAX_PATH * 3];
    if (!getenv(name) && snprintf(setting, sizeof setting, "%s=%s", name, value) < (int)sizeof setting) {
        _putenv(setting);
    }
}

/* A variable of Windows under its name on other systems. */
static void copy_variable(const char *name, const wchar_t *windows_name) {
    const wchar_t *value = _wgetenv(windows_name);
    char *text = value ? wide_to_utf8(value) : NULL;
    if (text) {
        set_default(name, text);
    }
    free(text);
}

/* The programs ask the variables of a terminal, as elsewhere. */
static void prepare_console(void) {
    const HANDLE output = GetStdHandle(STD_OUTPUT_HANDLE);
    DWORD mode;
    if (SetConsoleOutputCP(CP_UTF8)) {
        set_default("LANG", "C.UTF-8");
    }
    if (GetConsoleMode(output, &mode) && SetConsoleMode(output, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING)) {
        set_default("TERM", "xterm-256color");
    }
    copy_variable("HOME", L"USERPROFILE");
    copy_variable("TMPDIR", L"TEMP");
}

int ioctl(int descriptor, int request, struct winsize *size) {
    CONSOLE_SCREEN_BUFFER_INFO info;
    (void)request;
    if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(descriptor), &info)) {
        return -1;
    }
    *size = (struct winsize){.ws_row = (unsigned short)(info.srWindow.Bottom - info.srWindow.Top + 1),
                             .ws_col = (unsigned short)(info.srWindow.Right - info.srWindow.Left + 1)};
    return 0;
}

#undef main
int main(int argc, char **argv) {
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **arguments = wide ? calloc((size_t)count + 1, sizeof *arguments) : NULL;
    for (int i = 0; arguments && i < count; i++) {
        arguments[i] = wide_to_utf8(wide[i]);
        if (!arguments[i]) {
            return 1;
        }
    }
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        _setmode(descriptor, _O_BINARY);
    }
    setvbuf(stderr, NULL, _IONBF, 0);
    prepare_console();
    timeBeginPeriod(1);
    return arguments ? posix_main(count, arguments) : posix_main(argc, argv);
}
