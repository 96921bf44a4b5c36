/* SPDX-License-Identifier: MIT */
/*
 * The file of a journal:
 *
 *     luft journal 1 PART OF LENGTH CHECKSUM      a line, then LENGTH bytes of manifest and a line feed
 *     unit KEY LENGTH CHECKSUM                    a line, then LENGTH bytes of result and a line feed
 *     end KEY LENGTH CHECKSUM                     the same without a result: the part is finished
 *
 * Keys and checksums are hexadecimal. A checksum covers its line up to the length, and the bytes that follow the line.
 */
#define _DEFAULT_SOURCE /* flock: a lock that the copy of a descriptor does not release */

#include "journal.h"

#include "checksum.h"
#include "clock.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_SIZE = 160, CHECKSUM_DIGITS = 16, TABLE_MIN = 1024 };
#define RECORD_MAX ((uint64_t)1 << 32) /* bytes of a result; a greater length is damage */
#define SECONDS_BETWEEN_SYNCS 1.0

/* Sets the reason and returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(journal *it, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(it->reason, sizeof it->reason, format, arguments);
    va_end(arguments);
    return false;
}

unit_key unit_key_of(const void *request, size_t length) {
    checksum sum = checksum_start();
    checksum_add(&sum, request, length);
    const uint64_t first = checksum_end(&sum);
    checksum_add(&sum, &(const char){1}, 1);
    checksum_add(&sum, request, length); /* a second pass from another state: 128 bits */
    return (unit_key){{first | 1, checksum_end(&sum)}};
}

/* --- The table of units ---------------------------------------------------------- */

static size_t place_of(const journal_entry *table, size_t capacity, unit_key key) {
    size_t place = (size_t)key.words[1] & (capacity - 1);
    while (table[place].key.words[0] != 0 && memcmp(&table[place].key, &key, sizeof key) != 0) {
        place = (place + 1) & (capacity - 1);
    }
    return place;
}

static bool grow(journal *it) {
    const size_t capacity = it->capacity ? it->capacity * 2 : TABLE_MIN;
    journal_entry *table = calloc(capacity, sizeof *table);
    if (!table) {
        return refuse(it, "out of memory");
    }
    for (size_t i = 0; i < it->capacity; i++) {
        if (it->table[i].key.words[0] != 0) {
            table[place_of(table, capacity, it->table[i].key)] = it->table[i];
        }
    }
    free(it->table);
    it->table = table;
    it->capacity = capacity;
    return true;
}

journal_entry *journal_entry_of(journal *it, unit_key key) {
    if (it->used * 4 >= it->capacity * 3 && !grow(it)) {
        return NULL;
    }
    journal_entry *entry = &it->table[place_of(it->table, it->capacity, key)];
    if (entry->key.words[0] == 0) {
        entry->key = key;
        it->used++;
    }
    return entry;
}

/* --- Records ------------------------------------------------------------------------ */

/* Puts a line with the checksum, the bytes and a line feed into it->record. `line` is the line up to the length. */
static bool build_record(journal *it, const char *line, const void *bytes, size_t length) {
    checksum sum = checksum_start();
    checksum_add(&sum, line, strlen(line));
    checksum_add(&sum, bytes, length);
    buffer_clear(&it->record);
    buffer_printf(&it->record, "%s %016" PRIx64 "\n", line, checksum_end(&sum));
    buffer_append(&it->record, bytes, length);
    buffer_append_text(&it->record, "\n");
    return !it->record.failed || refuse(it, "out of memory");
}

/* Appends it->record to the file. If that fails, removes what was written of it. */
static bool write_record(journal *it) {
    size_t written = 0;
    while (written < it->record.length) {
        const ssize_t count =
            pwrite(it->descriptor, it->record.data + written, it->record.length - written, (off_t)(it->end + written));
        if (count < 0 && errno != EINTR) {
            refuse(it, "%s", strerror(errno));
            (void)!ftruncate(it->descriptor, (off_t)it->end); /* an incomplete record is also dropped when read */
            return false;
        }
        written += count > 0 ? (size_t)count : 0;
    }
    it->end += written;
    return true;
}

static bool sync_now(journal *it) {
    it->synced = clock_seconds();
    return it->is_temporary || fdatasync(it->descriptor) == 0 || refuse(it, "%s", strerror(errno));
}

/* A line and the bytes behind it, as read from a file. */
typedef struct record {
    char line[LINE_SIZE]; /* up to the length */
    buffer bytes;
} record;

typedef enum record_result { RECORD_GOOD, RECORD_END, RECORD_BAD, RECORD_NO_MEMORY } record_result;

/* Splits the number behind the last blank off the line. */
static bool split_number(char *line, uint64_t *number, int base) {
    char *blank = strrchr(line, ' '), *end;
    if (!blank || blank[1] == '\0' ||
        strspn(blank + 1, base == 10 ? "0123456789" : "0123456789abcdef") != strlen(blank + 1)) {
        return false; /* a number is written in one way only, so that every flipped bit is found */
    }
    errno = 0;
    *number = strtoull(blank + 1, &end, base);
    *blank = '\0';
    return *end == '\0' && errno == 0;
}

static record_result read_record(FILE *file, record *out) {
    uint64_t expected, length;
    char text[LINE_SIZE];
    if (!fgets(out->line, sizeof out->line, file)) {
        return RECORD_END;
    }
    const size_t line_length = strlen(out->line);
    if (line_length <= CHECKSUM_DIGITS || out->line[line_length - 1] != '\n') {
        return RECORD_BAD;
    }
    out->line[line_length - 1] = '\0';
    if (!split_number(out->line, &expected, 16)) {
        return RECORD_BAD;
    }
    memcpy(text, out->line, sizeof text);
    if (!split_number(text, &length, 10) || length > RECORD_MAX) {
        return RECORD_BAD;
    }
    buffer_clear(&out->bytes);
    while (out->bytes.length < length) { /* in steps: a damaged length must not allocate gigabytes */
        const uint64_t left = length - out->bytes.length;
        const size_t step = left < 1 << 20 ? (size_t)left : 1 << 20;
        char *room = buffer_reserve(&out->bytes, step);
        if (!room) {
            return RECORD_NO_MEMORY;
        }
        if (fread(room, 1, step, file) != step) {
            return RECORD_BAD;
        }
        out->bytes.length += step;
    }
    checksum sum = checksum_start();
    checksum_add(&sum, out->line, strlen(out->line));
    checksum_add(&sum, out->bytes.data, out->bytes.length);
    return checksum_end(&sum) == expected && fgetc(file) == '\n' ? RECORD_GOOD : RECORD_BAD;
}

/* --- Adding and reading units -------------------------------------------------------- */

bool journal_read(journal *it, const journal_entry *entry, buffer *result) {
    char *room = buffer_reserve(result, entry->length + 1);
    if (!room) {
        return refuse(it, "out of memory");
    }
    for (size_t done = 0; done < entry->length;) {
        const ssize_t count = pread(it->descriptor, room + done, entry->length - done, (off_t)(entry->offset + done));
        if (count == 0 || (count < 0 && errno != EINTR)) {
            return refuse(it, "%s", count < 0 ? strerror(errno) : "the file became shorter");
        }
        done += count > 0 ? (size_t)count : 0;
    }
    result->length += entry->length;
    return true;
}

bool journal_add(journal *it, unit_key key, const void *result, size_t length) {
    char line[LINE_SIZE];
    journal_entry *entry = journal_entry_of(it, key);
    snprintf(line, sizeof line, "unit %016" PRIx64 "%016" PRIx64 " %zu", key.words[0], key.words[1], length);
    if (!entry || !build_record(it, line, result, length) || !write_record(it)) {
        return false;
    }
    it->finished += entry->state != UNIT_FINISHED;
    entry->state = UNIT_FINISHED;
    entry->length = length;
    entry->offset = it->end - length - 1;
    return clock_seconds() - it->synced < SECONDS_BETWEEN_SYNCS || sync_now(it);
}

bool journal_complete(journal *it) {
    it->is_complete = true;
    return build_record(it, "end 0 0", "", 0) && write_record(it) && sync_now(it);
}

/* --- Opening ---------------------------------------------------------------------------- */

/* Names the first line in which two manifests differ. */
static bool refuse_manifest(journal *it, const char *theirs, size_t length, const char *ours) {
    const char *their_end = theirs + length, *our_end = ours + strlen(ours);
    char quoted[2][TEXT_QUOTED_SIZE];
    while (theirs < their_end || ours < our_end) {
        const char *their_feed = memchr(theirs, '\n', (size_t)(their_end - theirs));
        const char *our_feed = memchr(ours, '\n', (size_t)(our_end - ours));
        const size_t their_length = (size_t)((their_feed ? their_feed : their_end) - theirs);
        const size_t our_length = (size_t)((our_feed ? our_feed : our_end) - ours);
        if (their_length != our_length || memcmp(theirs, ours, our_length) != 0) {
            return refuse(it, "it belongs to other work: it has %s, and this is %s",
                          text_quote(quoted[0], theirs, their_length), text_quote(quoted[1], ours, our_length));
        }
        theirs += their_length + (their_feed != NULL);
        ours += our_length + (our_feed != NULL);
    }
    return refuse(it, "it belongs to other work");
}

/* Reads the line "luft journal 1 PART OF LENGTH". */
static bool read_part(const char *line, journal_part *part) {
    char text[LINE_SIZE];
    uint64_t length;
    memcpy(text, line, sizeof text);
    return split_number(text, &length, 10) && split_number(text, &part->of, 10) &&
           split_number(text, &part->number, 10) && strcmp(text, "luft journal 1") == 0;
}

/* Reads "unit KEY LENGTH"; false for other lines. */
static bool read_key(const char *line, unit_key *key) {
    char digits[33];
    if (sscanf(line, "unit %32[0-9a-f] ", digits) != 1 || strlen(digits) != 32) {
        return false;
    }
    key->words[1] = strtoull(digits + 16, NULL, 16);
    digits[16] = '\0';
    key->words[0] = strtoull(digits, NULL, 16);
    return key->words[0] != 0;
}

/* Takes a record of a unit that is in the file of the journal itself, and ends where the stream is. */
static bool keep_own(journal *it, const record *read, unit_key key, FILE *file) {
    journal_entry *entry = journal_entry_of(it, key);
    if (!entry) {
        return false;
    }
    it->finished += entry->state != UNIT_FINISHED;
    entry->state = UNIT_FINISHED;
    entry->length = read->bytes.length;
    entry->offset = (uint64_t)ftello(file) - read->bytes.length - 1;
    return true;
}

/* Takes a record of another journal. */
static bool keep_other(journal *it, const record *read, unit_key key) {
    journal_entry *entry = journal_entry_of(it, key);
    if (!entry || entry->state != UNIT_FINISHED) {
        return entry && journal_add(it, key, read->bytes.data, read->bytes.length);
    }
    buffer known = {0};
    const bool was_read = journal_read(it, entry, &known);
    const bool is_same = was_read && known.length == read->bytes.length &&
                         (known.length == 0 || memcmp(known.data, read->bytes.data, known.length) == 0);
    buffer_free(&known);
    it->twice += is_same;
    return is_same || (was_read && refuse(it, "unit %016" PRIx64 "%016" PRIx64 " has two results that differ",
                                          key.words[0], key.words[1]));
}

/* Reads all records after the manifest; `end` is set to where the good ones end. */
static bool read_units(journal *it, FILE *file, record *read, bool is_own, uint64_t *end) {
    record_result result;
    it->is_complete = false;
    while ((result = read_record(file, read)) == RECORD_GOOD) {
        unit_key key;
        if (read_key(read->line, &key)) {
            if (!(is_own ? keep_own(it, read, key, file) : keep_other(it, read, key))) {
                return false;
            }
        } else if (strcmp(read->line, "end 0 0") == 0) {
            it->is_complete = true;
        } else {
            break; /* of a later version, or damaged: what follows is not understood */
        }
        *end = (uint64_t)ftello(file);
    }
    return result != RECORD_NO_MEMORY || refuse(it, "out of memory");
}

/* Reads the manifest and checks it against `manifest`. */
static bool check_manifest(journal *it, FILE *file, record *read, const char *manifest) {
    const record_result result = read_record(file, read);
    if (result == RECORD_NO_MEMORY) {
        return refuse(it, "out of memory");
    }
    if (result != RECORD_GOOD || !read_part(read->line, &it->part)) {
        return refuse(it, "it is not a journal of this version, or its beginning is damaged");
    }
    if (read->bytes.length != strlen(manifest) || memcmp(read->bytes.data, manifest, read->bytes.length) != 0) {
        return refuse_manifest(it, read->bytes.data, read->bytes.length, manifest);
    }
    return true;
}

/* Reads the journal of this descriptor and removes what is not a record from its end. */
static bool resume(journal *it, const char *manifest, journal_part part, uint64_t size) {
    const int copy = dup(it->descriptor);
    FILE *file = copy >= 0 ? fdopen(copy, "rb") : NULL;
    record read = {0};
    if (!file) {
        if (copy >= 0) {
            close(copy);
        }
        return refuse(it, "%s", strerror(errno));
    }
    bool good = check_manifest(it, file, &read, manifest);
    if (good && (it->part.number != part.number || it->part.of != part.of)) {
        good = refuse(it, "it has part %" PRIu64 " of %" PRIu64 ", and this is part %" PRIu64 " of %" PRIu64,
                      it->part.number, it->part.of, part.number, part.of);
    }
    it->end = good ? (uint64_t)ftello(file) : 0;
    good = good && read_units(it, file, &read, true, &it->end);
    fclose(file);
    buffer_free(&read.bytes);
    it->dropped = good ? size - it->end : 0;
    return good &&
           (it->dropped == 0 || ftruncate(it->descriptor, (off_t)it->end) == 0 || refuse(it, "%s", strerror(errno)));
}

/* Is the file empty, or a first record that was cut while it was written? */
static bool is_unborn(journal *it, uint64_t size) {
    char bytes[4096];
    if (size >= it->record.length) {
        return false;
    }
    for (uint64_t at = 0; at < size;) {
        const ssize_t count = pread(it->descriptor, bytes, sizeof bytes, (off_t)at);
        if (count <= 0 || memcmp(bytes, it->record.data + at, (size_t)count) != 0) {
            return false;
        }
        at += (uint64_t)count;
    }
    return true;
}

static bool open_file(journal *it, const char *path, uint64_t *size) {
    struct stat state;
    if (path) {
        it->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    } else {
        FILE *file = tmpfile();
        it->descriptor = file ? dup(fileno(file)) : -1;
        it->is_temporary = true;
        if (file) {
            fclose(file);
        }
    }
    if (it->descriptor < 0 || fstat(it->descriptor, &state) != 0) {
        return refuse(it, "%s", strerror(errno));
    }
    if (!S_ISREG(state.st_mode)) {
        return refuse(it, "it is not a regular file");
    }
    if (path && flock(it->descriptor, LOCK_EX | LOCK_NB) != 0) {
        return refuse(it, "another process is writing it");
    }
    *size = (uint64_t)state.st_size;
    return true;
}

bool journal_open(journal *it, const char *path, const char *manifest, journal_part part) {
    char line[LINE_SIZE];
    uint64_t size = 0;
    *it = (journal){.descriptor = -1, .part = part};
    if (!open_file(it, path, &size)) {
        return false;
    }
    snprintf(line, sizeof line, "luft journal 1 %" PRIu64 " %" PRIu64 " %zu", part.number, part.of, strlen(manifest));
    if (!build_record(it, line, manifest, strlen(manifest))) {
        return false;
    }
    if (is_unborn(it, size)) {
        return write_record(it) && sync_now(it);
    }
    it->synced = clock_seconds();
    return resume(it, manifest, part, size);
}

/* --- Other journals ---------------------------------------------------------------------- */

bool journal_merge(journal *it, const char *path, const char *manifest) {
    record read = {0};
    uint64_t end = 0;
    FILE *file = fopen(path, "rb");
    if (!file) {
        return refuse(it, "%s", strerror(errno));
    }
    bool good = check_manifest(it, file, &read, manifest);
    end = good ? (uint64_t)ftello(file) : 0;
    good = good && read_units(it, file, &read, false, &end);
    if (good && fseeko(file, 0, SEEK_END) == 0) {
        it->dropped = (uint64_t)ftello(file) - end;
    }
    fclose(file);
    buffer_free(&read.bytes);
    return good;
}

bool journal_read_manifest(journal *it, const char *path, buffer *manifest) {
    record read = {0};
    FILE *file = fopen(path, "rb");
    if (!file) {
        return refuse(it, "%s", strerror(errno));
    }
    const bool good = read_record(file, &read) == RECORD_GOOD && read_part(read.line, &it->part);
    if (good) {
        buffer_append(manifest, read.bytes.data, read.bytes.length);
    }
    fclose(file);
    buffer_free(&read.bytes);
    return good || refuse(it, "it is not a journal of this version, or its beginning is damaged");
}

bool journal_close(journal *it) {
    const bool synced = it->descriptor < 0 || sync_now(it);
    if (it->descriptor >= 0) {
        close(it->descriptor);
    }
    free(it->table);
    buffer_free(&it->record);
    it->descriptor = -1;
    it->table = NULL;
    it->capacity = it->used = 0;
    return synced;
}
