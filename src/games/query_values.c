/* SPDX-License-Identifier: MIT */
/*
 * The values of conditions: FEN, partial boards, counts of pieces, ranges, dates and codes as text, read into nodes; and
 * nodes with colours or wings exchanged.
 */
#include "games/query.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* --- Boards ----------------------------------------------------------------- */

/* Asks for this value of a word on one square. */
static void ask(query_pattern *pattern, int word, int square, bool value) {
    pattern->care[word] |= UINT64_C(1) << square;
    pattern->value[word] |= (luft_bitboard)value << square;
}

static void ask_piece(query_pattern *pattern, int square, luft_piece piece) {
    const luft_piece_type type = luft_piece_type_of(piece);
    ask(pattern, luft_piece_color(piece) == LUFT_WHITE ? WORD_WHITE : WORD_BLACK, square, true);
    ask(pattern, WORD_PAWNS, square, type == LUFT_PAWN);
    ask(pattern, WORD_KNIGHTS, square, type == LUFT_KNIGHT);
    ask(pattern, WORD_DIAGONAL, square, type == LUFT_BISHOP || type == LUFT_QUEEN);
    ask(pattern, WORD_ORTHOGONAL, square, type == LUFT_ROOK || type == LUFT_QUEEN);
    ask(pattern, WORD_KINGS, square, type == LUFT_KING);
}

/* Asks for what a letter of a partial board says. False if it says nothing. */
static bool ask_letter(query_pattern *pattern, int square, char letter) {
    switch (letter) {
    case '?': return true;
    case '.': ask(pattern, WORD_OCCUPIED, square, false); return true;
    case '*': ask(pattern, WORD_OCCUPIED, square, true); return true;
    case 'A': ask(pattern, WORD_WHITE, square, true); return true;
    case 'a': ask(pattern, WORD_BLACK, square, true); return true;
    default: break;
    }
    const luft_piece piece = luft_piece_from_letter(letter);
    if (piece != LUFT_NO_PIECE) {
        ask_piece(pattern, square, piece);
    }
    return piece != LUFT_NO_PIECE;
}

/* The same for a pattern of pawns: other pieces do not matter. */
static bool ask_pawn_letter(query_pattern *pattern, int square, char letter) {
    switch (letter) {
    case '?': return true;
    case '.': ask(pattern, WORD_PAWNS, square, false); return true;
    case 'P': ask_piece(pattern, square, LUFT_WHITE_PAWN); return true;
    case 'p': ask_piece(pattern, square, LUFT_BLACK_PAWN); return true;
    default: return false;
    }
}

typedef bool (*letter_reader)(query_pattern *pattern, int square, char letter);

/* Reads eight ranks with slashes between them. An empty rank leaves all its squares open. */
static bool read_ranks(query_pattern *pattern, const char *text, size_t length, letter_reader read_letter) {
    int rank = 0, file = 0;
    for (size_t i = 0; i < length; i++) {
        const char letter = text[i];
        if (letter == '/') {
            if ((file != 0 && file != 8) || ++rank > 7) {
                return false;
            }
            file = 0;
            continue;
        }
        const bool is_run = letter >= '1' && letter <= '8';
        for (int squares = is_run ? letter - '0' : 1; squares > 0; squares--, file++) {
            if (file > 7 || !read_letter(pattern, 8 * rank + file, is_run ? '.' : letter)) {
                return false;
            }
        }
    }
    return rank == 7 && (file == 0 || file == 8);
}

/* The words in which a piece of this type has a bit. */
static unsigned words_of(int type) {
    switch (type) {
    case LUFT_PAWN: return 1u << WORD_PAWNS;
    case LUFT_KNIGHT: return 1u << WORD_KNIGHTS;
    case LUFT_BISHOP: return 1u << WORD_DIAGONAL;
    case LUFT_ROOK: return 1u << WORD_ORTHOGONAL;
    default: return 1u << WORD_DIAGONAL | 1u << WORD_ORTHOGONAL; /* a queen */
    }
}

/* How many pieces of each type the pattern demands, and how many it leaves squares for. */
static void count_pattern(query_node *node) {
    const query_pattern *pattern = &node->pattern;
    for (int side = 0; side < 2; side++) {
        for (int type = LUFT_PAWN; type <= LUFT_QUEEN; type++) {
            const unsigned words = words_of(type) | 1u << (WORD_WHITE + side) | 1u << WORD_OCCUPIED;
            luft_bitboard demanded = pattern->care[WORD_WHITE + side], allowed = ~UINT64_C(0);
            for (int word = 0; word < WORD_COUNT; word++) {
                const luft_bitboard same = words >> word & 1 ? pattern->value[word] : ~pattern->value[word];
                if (word != WORD_CASTLING) {
                    allowed &= ~pattern->care[word] | same;
                    demanded &= word <= WORD_KINGS ? pattern->care[word] & same : ~pattern->care[word] | same;
                }
            }
            const int least = luft_popcount(demanded), most = luft_popcount(allowed);
            node->min |= query_count(side, type - LUFT_PAWN, least < COUNT_MAX ? least : COUNT_MAX);
            node->max |= query_count(side, type - LUFT_PAWN, most < COUNT_MAX ? most : COUNT_MAX);
        }
    }
}

const char *luft_query_read_board(query_node *node, const char *text, size_t length) {
    const bool is_good = read_ranks(&node->pattern, text, length, ask_letter);
    count_pattern(node);
    return is_good
               ? NULL
               : "board: expected eight ranks such as ???????? or R..*4, of letters of pieces, ? . * A a and digits";
}

const char *luft_query_read_pawns(query_node *node, const char *text, size_t length) {
    const bool is_good = read_ranks(&node->pattern, text, length, ask_pawn_letter);
    count_pattern(node);
    return is_good ? NULL : "pawns: expected eight ranks such as ???????? or PP4.., of P p ? . and digits";
}

const char *luft_query_read_position(query_node *node, const char *text, size_t length) {
    luft_position position;
    luft_fen_report report;
    if (luft_position_from_fen(&position, text, length, &report) != LUFT_OK) {
        return report.reason;
    }
    query_pattern *pattern = &node->pattern;
    static_assert(sizeof position.board == sizeof pattern->value[0] * WORD_OCCUPIED, "the words of a board");
    memcpy(pattern->value, &position.board, sizeof position.board);
    memset(pattern->care, 0xff, sizeof position.board);
    pattern->is_position = true;
    pattern->ep_square = position.ep_square;
    node->color = position.side_to_move;
    count_pattern(node);
    return NULL;
}

/* --- Counts of pieces --------------------------------------------------------- */

static const char letters[] = "PNBRQpnbrq";

/* Reads a number of at most six digits; returns the bytes read, 0 if there is none. */
static size_t scan_number(int *number, const char *text, size_t length) {
    size_t used = 0;
    *number = 0;
    while (used < length && used < 6 && is_digit(text[used])) {
        *number = 10 * *number + (text[used++] - '0');
    }
    return used < length && is_digit(text[used]) ? 0 : used;
}

static bool starts_with_dots(const char *text, size_t length) {
    return length >= 2 && text[0] == '.' && text[1] == '.';
}

/* Reads the count after a letter: nothing is 1, then 3, 1..3, 1.. and *. Returns the bytes read. */
static size_t scan_count(int *min, int *max, const char *text, size_t length) {
    *min = *max = 1;
    if (length > 0 && text[0] == '*') {
        *min = 0;
        *max = COUNT_MAX;
        return 1;
    }
    size_t used = scan_number(min, text, length);
    if (used == 0) {
        *min = 1;
        return 0;
    }
    *max = *min;
    if (starts_with_dots(text + used, length - used)) {
        used += 2;
        const size_t more = scan_number(max, text + used, length - used);
        *max = more > 0 ? *max : COUNT_MAX;
        used += more;
    }
    return used;
}

typedef struct count_range {
    int min, max;
    bool is_given;
    bool is_open; /* written as * */
} count_range;

/* Reads letters with counts into ten ranges; a letter that comes again adds to its range. Kings are skipped. */
static bool read_counts(count_range ranges[10], const char *text, size_t length) {
    bool king_seen[2] = {false, false};
    size_t at = 0;
    while (at < length) {
        const char letter = text[at++];
        if (letter == 'K' || letter == 'k') {
            if (king_seen[letter == 'k']) {
                return false;
            }
            king_seen[letter == 'k'] = true;
            continue;
        }
        const char *place = memchr(letters, letter, sizeof letters - 1);
        if (!place) {
            return false;
        }
        count_range *range = &ranges[place - letters];
        int min, max;
        range->is_open |= at < length && text[at] == '*';
        at += scan_count(&min, &max, text + at, length - at);
        if (min > max || min > COUNT_MAX) {
            return false;
        }
        range->min += min;
        range->max = range->max + max > COUNT_MAX ? COUNT_MAX : range->max + max;
        range->is_given = true;
        if (range->min > COUNT_MAX) {
            return false;
        }
    }
    return length > 0;
}

const char *luft_query_read_material(query_node *node, const char *text, size_t length) {
    count_range ranges[10] = {0};
    if (!read_counts(ranges, text, length)) {
        return "material: expected the pieces of both sides such as KRPkr or KRP1..3kr, each at most 15";
    }
    for (int i = 0; i < 10; i++) {
        node->min |= query_count(0, i, ranges[i].min);
        node->max |= query_count(0, i, ranges[i].max);
    }
    return NULL;
}

const char *luft_query_read_imbalance(query_node *node, const char *text, size_t length) {
    count_range ranges[10] = {0};
    if (memchr(text, 'K', length) || memchr(text, 'k', length) || !read_counts(ranges, text, length)) {
        return "imbalance: expected what each side has more, such as Rbn, QP*rr or P1..2";
    }
    for (int i = 0; i < 5; i++) {
        const count_range *white = &ranges[i], *black = &ranges[i + 5];
        const bool is_open = white->is_open || black->is_open;
        const int min = white->min - black->max, max = white->max - black->min;
        node->min |= query_count(0, i, is_open ? IMBALANCE_OFFSET - COUNT_MAX : IMBALANCE_OFFSET + min);
        node->max |= query_count(0, i, is_open ? IMBALANCE_OFFSET + COUNT_MAX : IMBALANCE_OFFSET + max);
    }
    return NULL;
}

const char *luft_query_read_pawn_counts(query_node *node, const char *text, size_t length) {
    count_range ranges[10] = {0};
    bool is_good = read_counts(ranges, text, length);
    for (int i = 0; i < 10; i++) {
        is_good = is_good && (i % 5 == 0 || !ranges[i].is_given);
    }
    if (!is_good || memchr(text, 'K', length) || memchr(text, 'k', length)) {
        return "expected a count of pawns such as P1.., p0 or P2p0";
    }
    for (int color = 0; color < 2; color++) {
        const count_range *range = &ranges[5 * color];
        node->min |= query_count(color, 0, range->min);
        node->max |= query_count(color, 0, range->is_given ? range->max : COUNT_MAX);
    }
    return NULL;
}

/* --- Ranges ----------------------------------------------------------------- */

#define RANGE_MAX 999999

/* Finds the parts of FROM..TO, FROM.., ..TO or one value, which is both. False without any part. */
static bool split_range(luft_query_text parts[2], const char *text, size_t length) {
    size_t dots = 0;
    while (dots < length && !starts_with_dots(text + dots, length - dots)) {
        dots++;
    }
    parts[0] = (luft_query_text){text, dots};
    parts[1] = dots == length ? parts[0] : (luft_query_text){text + dots + 2, length - dots - 2};
    return parts[0].length > 0 || parts[1].length > 0;
}

static bool read_integer(int32_t *value, luft_query_text text) {
    const bool is_negative = text.length > 0 && text.text[0] == '-';
    int number;
    const size_t used = scan_number(&number, text.text + is_negative, text.length - is_negative);
    *value = is_negative ? -number : number;
    return used > 0 && used + is_negative == text.length;
}

const char *luft_query_read_range(query_node *node, const char *text, size_t length) {
    luft_query_text parts[2];
    node->from = -RANGE_MAX;
    node->to = RANGE_MAX;
    if (!split_range(parts, text, length) || (parts[0].length > 0 && !read_integer(&node->from, parts[0])) ||
        (parts[1].length > 0 && !read_integer(&node->to, parts[1])) || node->from > node->to) {
        return "expected an integer or a range such as 40, 40..60, 40.. or ..60";
    }
    return NULL;
}

const char *luft_query_read_number(query_node *node, const char *text, size_t length) {
    const bool is_good = read_integer(&node->from, (luft_query_text){text, length}) && node->from >= 1;
    node->to = node->from;
    return is_good ? NULL : "expected an integer from 1 to 999999";
}

/* Reads 2019, 2019.05 or 2019.05.04; missing parts are 0. */
static bool read_date(int32_t *date, luft_query_text text) {
    static const int max[3] = {9999, 12, 31};
    size_t at = 0;
    *date = 0;
    for (int part = 0; part < 3; part++) {
        int value = 0;
        if (part == 0 || at < text.length) {
            if (part > 0 && text.text[at++] != '.') {
                return false;
            }
            const size_t used = scan_number(&value, text.text + at, text.length - at);
            at += used;
            if ((part == 0 ? used != 4 : used < 1 || used > 2) || value < 1 || value > max[part]) {
                return false;
            }
        }
        *date = 100 * *date + value;
    }
    return at == text.length;
}

const char *luft_query_read_date(query_node *node, const char *text, size_t length) {
    luft_query_text parts[2];
    node->from = 0;
    node->to = 99999999;
    if (!split_range(parts, text, length) || (parts[0].length > 0 && !read_date(&node->from, parts[0])) ||
        (parts[1].length > 0 && !read_date(&node->to, parts[1]))) {
        return "date: expected a date such as 2019, 2019.05 or 2019.05.04, or FROM..TO";
    }
    /* A month or a year lasts to its end. */
    node->to += node->to % 10000 == 0 ? 9999 : node->to % 100 == 0 ? 99 : 0;
    return node->from <= node->to ? NULL : "date: the range is empty";
}

int luft_query_eco_number(const char *text, size_t length) {
    const bool is_code = length == 3 && text[0] >= 'A' && text[0] <= 'E' && is_digit(text[1]) && is_digit(text[2]);
    return is_code ? 100 * (text[0] - 'A') + 10 * (text[1] - '0') + (text[2] - '0') : -1;
}

/* Reads a bound of codes: B90, or B9 or B with the missing digits filled in. */
static bool read_eco_bound(int32_t *code, luft_query_text text, char fill) {
    char full[3] = {fill, fill, fill};
    if (text.length < 1 || text.length > 3) {
        return false;
    }
    memcpy(full, text.text, text.length);
    *code = luft_query_eco_number(full, sizeof full);
    return *code >= 0;
}

const char *luft_query_read_eco(query_node *node, const char *text, size_t length) {
    luft_query_text parts[2];
    node->from = 0;
    node->to = 499;
    if (!split_range(parts, text, length) || (parts[0].length > 0 && !read_eco_bound(&node->from, parts[0], '0')) ||
        (parts[1].length > 0 && !read_eco_bound(&node->to, parts[1], '9')) || node->from > node->to) {
        return "eco: expected a code such as B90, the beginning of one, or a range such as B90..B99";
    }
    return NULL;
}

const char *luft_query_read_result(query_node *node, const char *text, size_t length) {
    for (luft_result result = LUFT_RESULT_WHITE; result <= LUFT_RESULT_UNKNOWN; result++) {
        const char *name = luft_result_string(result);
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            node->from = node->to = (int32_t)result;
            return NULL;
        }
    }
    return "result: expected 1-0, 0-1, 1/2-1/2 or *";
}

const char *luft_query_read_color(query_node *node, const char *text, size_t length) {
    static const char names[2][6] = {"white", "black"};
    for (int color = 0; color < 2; color++) {
        if (length == 5 && memcmp(text, names[color], 5) == 0) {
            node->color = (uint8_t)color;
            return NULL;
        }
    }
    return "turn: expected white or black";
}

const char *luft_query_read_name(query_node *node, const char *text, size_t length) {
    node->text = (luft_query_text){text, length};
    return length > 0 ? NULL : "expected a part of a name";
}

/* --- Exchanging colours and wings ----------------------------------------------- */

static query_counts swap_sides(query_counts counts) {
    return counts >> 5 * COUNT_BITS | (counts & COUNT_SIDE_MASK) << 5 * COUNT_BITS;
}

/* Negates five differences, which are stored with an offset. */
static query_counts negate_differences(query_counts counts) {
    return ((COUNT_ONES & COUNT_SIDE_MASK) * (2 * IMBALANCE_OFFSET)) - counts;
}

static void swap_words(luft_bitboard words[WORD_COUNT]) {
    const luft_bitboard white = words[WORD_WHITE];
    words[WORD_WHITE] = words[WORD_BLACK];
    words[WORD_BLACK] = white;
}

static void flip_pattern(query_pattern *pattern) {
    swap_words(pattern->value);
    swap_words(pattern->care);
    for (int word = 0; word < WORD_COUNT; word++) {
        pattern->value[word] = luft_bitboard_flip(pattern->value[word]);
        pattern->care[word] = luft_bitboard_flip(pattern->care[word]);
    }
    if (pattern->is_position && pattern->ep_square != LUFT_NO_SQUARE) {
        pattern->ep_square ^= 56;
    }
}

void luft_query_flip_node(query_node *node) {
    if (node->color != NO_COLOR) {
        node->color ^= 1;
    }
    switch (node->op) {
    case QUERY_IMBALANCE: {
        const query_counts min = negate_differences(node->max);
        node->max = negate_differences(node->min);
        node->min = min;
        break;
    }
    case QUERY_BALANCE: {
        const int32_t from = -node->to;
        node->to = -node->from;
        node->from = from;
        break;
    }
    case QUERY_RESULT:
        if (node->from == LUFT_RESULT_WHITE || node->from == LUFT_RESULT_BLACK) {
            node->from = LUFT_RESULT_WHITE + LUFT_RESULT_BLACK - node->from;
        }
        break;
    case QUERY_PATTERN: flip_pattern(&node->pattern); /* fall through */
    case QUERY_MATERIAL:
    case QUERY_PASSED:
    case QUERY_ISOLATED:
    case QUERY_DOUBLED:
        node->min = swap_sides(node->min);
        node->max = swap_sides(node->max);
        break;
    default: break;
    }
}

void luft_query_mirror_node(query_node *node) {
    query_pattern *pattern = &node->pattern;
    for (int word = 0; word < WORD_COUNT; word++) {
        pattern->value[word] = luft_bitboard_to_h8(pattern->value[word]); /* reverses each rank */
        pattern->care[word] = luft_bitboard_to_h8(pattern->care[word]);
    }
    if (pattern->is_position && pattern->ep_square != LUFT_NO_SQUARE) {
        pattern->ep_square ^= 7;
    }
}
