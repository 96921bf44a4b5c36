/* SPDX-License-Identifier: MIT */
/*
 * Standard algebraic notation. Reading makes no list of moves: the text says what
 * kind of man goes where, so the men that can be meant are the own ones of that kind
 * among those that the target square "attacks", hardly ever more than one, and
 * only these are asked whether they may go there.
 *
 * Text is first read as it stands in nearly all games. Only where that fails is it
 * put into that form, if people are known to write it so, and read again.
 */
#include "core/notation_internal.h"
#include "core/rules.h"
#include "core/text.h"

/* --- Men that go to a square ---------------------------------------------- */

/*
 * Which of these men, all of them on a line with the square, have nothing between? The table for
 * this has 32 kB and stays in the cache where the tables of sliding attacks, for one lookup here and
 * there, do not: reading games is faster by a third.
 */
static luft_bitboard with_free_way(luft_square square, luft_bitboard men, luft_bitboard occupied) {
    luft_bitboard result = 0;
    for (; men; men &= men - 1) {
        const luft_bitboard man = men & (0 - men);
        result |= (luft_between(square, luft_lsb(men)) & occupied) == man ? man : 0;
    }
    return result;
}

/* The own pieces of a type, pawns aside, that reach a square if nothing but the board forbids it. */
static luft_bitboard pieces_that_reach(const luft_board *board, luft_color us, luft_piece_type type, luft_square to) {
    const luft_bitboard own = board->color[us], straight = luft_rook_rays(to), diagonal = luft_bishop_rays(to);
    luft_bitboard sliders;
    switch (type) {
    case LUFT_KNIGHT: return luft_knight_attacks(to) & board->knights & own;
    case LUFT_BISHOP: sliders = diagonal & luft_bishops(board); break;
    case LUFT_ROOK: sliders = straight & luft_rooks(board); break;
    case LUFT_QUEEN: sliders = (straight | diagonal) & luft_queens(board); break;
    default: return luft_king_attacks(to) & board->kings & own;
    }
    return with_free_way(to, sliders & own, luft_occupied(board));
}

/* Is a king of this side safe here, if `occupied` are the squares in the way and `enemy` the men of the other side? */
static bool is_safe_for_king(const luft_board *board, luft_color us, luft_square king, luft_bitboard occupied,
                             luft_bitboard enemy) {
    const luft_bitboard steppers = (luft_knight_attacks(king) & board->knights) |
                                   (luft_pawn_attacks(us, king) & board->pawns) |
                                   (luft_king_attacks(king) & board->kings);
    const luft_bitboard sliders =
        (luft_rook_rays(king) & board->straights) | (luft_bishop_rays(king) & board->diagonals);
    return !(steppers & enemy) && !with_free_way(king, sliders & enemy, occupied);
}

/* Is the own king safe after a man has gone from one square to another and taken what stood on `taken`? */
static bool leaves_king_safe(const luft_board *board, luft_color us, luft_bitboard from, luft_bitboard to,
                             luft_bitboard taken) {
    const luft_bitboard kings = board->kings & board->color[us];
    const luft_bitboard enemy = board->color[luft_opposite(us)] & ~taken;
    const luft_bitboard occupied = (luft_occupied(board) & ~(from | taken)) | to;
    return is_safe_for_king(board, us, luft_lsb(from == kings ? to : kings), occupied, enemy);
}

/* Of these pieces, which all reach `to`, those that may go there. */
static luft_bitboard legal_ones(const luft_board *board, luft_color us, luft_bitboard pieces, luft_bitboard to) {
    luft_bitboard legal = 0;
    for (; pieces; pieces &= pieces - 1) {
        const luft_bitboard from = pieces & (0 - pieces);
        legal |= leaves_king_safe(board, us, from, to, to) ? from : 0;
    }
    return legal;
}

/* --- Writing -------------------------------------------------------------- */

static const char letter_of_type[] = " PNBRQK";

/* On the queen's side; its first three bytes are castling on the king's. */
static const char castling_text[5] = {'O', '-', 'O', '-', 'O'};

/* What tells a piece from others of its type that may go to the same square: nothing, its file, its rank or both. */
static char *write_origin(char *out, const luft_position *position, luft_move move, luft_piece_type type) {
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_color us = (luft_color)position->side_to_move;
    luft_bitboard rivals = pieces_that_reach(&position->board, us, type, to) & ~luft_bit(from);
    rivals = legal_ones(&position->board, us, rivals, luft_bit(to));
    if (rivals) {
        const luft_bitboard file = LUFT_FILE_A << luft_file_of(from), rank = LUFT_RANK_8 << 8 * luft_row_of(from);
        if (!(rivals & file) || rivals & rank) {
            *out++ = file_letter(from);
        }
        if (rivals & file) {
            *out++ = rank_digit(from);
        }
    }
    return out;
}

static char *write_plain_move(char *out, const luft_position *position, luft_move move) {
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_piece_type type = luft_piece_type_of(luft_piece_at(&position->board, from));
    if (type != LUFT_PAWN) {
        *out++ = letter_of_type[type];
        out = write_origin(out, position, move, type);
    } else if (luft_move_is_capture(move)) {
        *out++ = file_letter(from);
    }
    if (luft_move_is_capture(move)) {
        *out++ = 'x';
    }
    *out++ = file_letter(to);
    *out++ = rank_digit(to);
    if (luft_move_is_promotion(move)) {
        *out++ = '=';
        *out++ = letter_of_type[luft_move_promotion(move)];
    }
    return out;
}

static char *write_castling(char *out, luft_move move) {
    const bool east = luft_move_to(move) > luft_move_from(move);
    memcpy(out, castling_text, sizeof castling_text);
    return out + (east ? 3 : 5);
}

size_t luft_move_to_san(char *buffer, size_t size, const luft_position *position, luft_move move) {
    char text[LUFT_SAN_SIZE], *out = text;
    if (position && move == LUFT_MOVE_NONE) {
        return put_text(buffer, size, "--", 2);
    }
    if (!position || !luft_is_legal(position, move)) {
        return put_text(buffer, size, "", 0);
    }
    out = luft_move_kind_of(move) == LUFT_CASTLING ? write_castling(out, move) : write_plain_move(out, position, move);
    if (luft_gives_check(position, move)) {
        luft_position next;
        luft_make(&next, position, move);
        *out++ = luft_has_legal_move(&next) ? '+' : '#';
    }
    return put_text(buffer, size, text, (size_t)(out - text));
}

/* --- Letters of men ------------------------------------------------------- */

/* The type of an upper-case letter, LUFT_NO_PIECE_TYPE if it is that of none. */
static luft_piece_type type_of_letter(char letter) {
    static const uint8_t types['R' - 'B' + 1] = {
        ['B' - 'B'] = LUFT_BISHOP, ['K' - 'B'] = LUFT_KING,  ['N' - 'B'] = LUFT_KNIGHT,
        ['P' - 'B'] = LUFT_PAWN,   ['Q' - 'B'] = LUFT_QUEEN, ['R' - 'B'] = LUFT_ROOK,
    };
    const unsigned index = (unsigned char)letter - (unsigned)'B';
    return index < sizeof types ? (luft_piece_type)types[index] : LUFT_NO_PIECE_TYPE;
}

/* The figurines of Unicode are E2 99 94 (the white king) to E2 99 9F (the black pawn), king to pawn for each colour. */
#define FIGURINE_BYTES 3
#define FIGURINE_WHITE_PAWN 0x99
#define FIGURINE_BLACK_PAWN 0x9f

static char *write_figurine(char *out, luft_piece_type type) {
    *out++ = '\xe2';
    *out++ = '\x99';
    *out++ = (char)(FIGURINE_WHITE_PAWN - (type - LUFT_PAWN));
    return out;
}

/* The letter of the man of which there is a figurine at the start of the text, or 0. */
static char read_figurine(const char *text, const char *end) {
    if (end - text < FIGURINE_BYTES || text[0] != '\xe2' || text[1] != '\x99') {
        return 0;
    }
    const int last_byte = (unsigned char)text[2];
    const int pawn = last_byte <= FIGURINE_WHITE_PAWN ? FIGURINE_WHITE_PAWN : FIGURINE_BLACK_PAWN;
    const int type = LUFT_PAWN + pawn - last_byte;
    return type >= LUFT_PAWN && type <= LUFT_KING ? letter_of_type[type] : 0;
}

size_t luft_move_to_figurine(char *buffer, size_t size, const luft_position *position, luft_move move) {
    char san[LUFT_SAN_SIZE], text[LUFT_FIGURINE_SIZE], *out = text;
    luft_move_to_san(san, sizeof san, position, move);
    for (const char *letter = san; *letter; letter++) {
        const luft_piece_type type = type_of_letter(*letter);
        if (type != LUFT_NO_PIECE_TYPE) {
            out = write_figurine(out, type);
        } else {
            *out++ = *letter;
        }
    }
    return put_text(buffer, size, text, (size_t)(out - text));
}

/* --- Reading the words ---------------------------------------------------- */

typedef enum san_castling { NO_CASTLING, KING_SIDE, QUEEN_SIDE } san_castling;

/* What a text says about a move. */
typedef struct san_words {
    luft_piece_type type;      /* LUFT_NO_PIECE_TYPE: any man, and `from` is one square */
    luft_piece_type promotion; /* LUFT_NO_PIECE_TYPE if none is named */
    luft_square to;
    luft_bitboard from; /* the squares it may come from: all, a file, a rank or a single one */
    san_castling castling;
} san_words;

static bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}

static bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

static bool is_sign(char c) {
    return c == 'x' || c == '-' || c == ':';
}

/* What may follow a move without changing it. */
static bool is_mark(char c) {
    return c == '+' || c == '#' || c == '!' || c == '?';
}

static bool read_castling(san_words *words, const char *text, const char *end) {
    const size_t length = (size_t)(end - text);
    if ((length != 3 && length != 5) || memcmp(text, castling_text, length) != 0) {
        return false;
    }
    words->type = LUFT_KING;
    words->castling = length == 3 ? KING_SIDE : QUEEN_SIDE;
    return true;
}

/* Reads the part between the letter of the man and its target: file, rank and sign, each of which may be missing. */
static bool read_origin(san_words *words, const char *text, const char *end) {
    const bool has_sign = text < end && is_sign(end[-1]);
    end -= has_sign;
    const bool has_file = text < end && is_file(*text);
    if (has_file) {
        words->from &= LUFT_FILE_A << (*text++ - 'a');
    }
    const bool has_rank = text < end && is_rank(*text);
    if (has_rank) {
        words->from &= LUFT_RANK_8 << 8 * ('8' - *text++);
    }
    if (words->type <= LUFT_PAWN && !has_file) { /* a pawn that does not name its file stays on it */
        words->from &= LUFT_FILE_A << luft_file_of(words->to);
        if (has_sign || has_rank) {
            return false;
        }
    }
    if (words->type == LUFT_NO_PIECE_TYPE && !has_rank) {
        words->type = LUFT_PAWN;
    }
    return text == end;
}

/* Reads a promotion off the end of the text, with or without its sign; false if something else is there. */
static bool read_promotion(san_words *words, const char *text, const char **end) {
    words->promotion = type_of_letter((char)((*end)[-1] & ~0x20)); /* in either case */
    --*end;
    if (*end - text > 2 && (*end)[-1] == '=') {
        --*end;
    }
    return words->promotion >= LUFT_KNIGHT && words->promotion <= LUFT_QUEEN;
}

/* Reads text as it stands in games: optional letter, origin and sign, the target, a promotion, marks. */
static bool read_words(san_words *words, const char *text, const char *end) {
    *words = (san_words){.from = ~UINT64_C(0)};
    if (end - text < 2) {
        return false;
    }
    if (!is_rank(end[-1])) {
        while (end - text > 2 && is_mark(end[-1])) {
            end--;
        }
        if (*text == 'O') {
            return read_castling(words, text, end);
        }
        if (!is_rank(end[-1]) && !read_promotion(words, text, &end)) {
            return false;
        }
    }
    words->type = type_of_letter(*text);
    text += words->type != LUFT_NO_PIECE_TYPE;
    if (end - text < 2 || !is_file(end[-2]) || !is_rank(end[-1])) {
        return false;
    }
    if (words->promotion != LUFT_NO_PIECE_TYPE && words->type > LUFT_PAWN) {
        return false;
    }
    words->to = luft_square_at(end[-2] - 'a', '8' - end[-1]);
    return read_origin(words, text, end - 2);
}

/* --- Text as people write it ---------------------------------------------- */

/* Takes "e.p." or "ep" off the end, with the blank before it, if it is there. */
static const char *without_en_passant(const char *text, const char *end) {
    static const char *const spellings[] = {"e.p.", "ep"};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        const size_t length = strlen(spellings[i]);
        if ((size_t)(end - text) > length && memcmp(end - length, spellings[i], length) == 0) {
            end -= length;
            return end - (end[-1] == ' ');
        }
    }
    return end;
}

static const char *without_marks(const char *text, const char *end) {
    while (end > text && is_mark(end[-1])) {
        end--;
    }
    return end;
}

/* The letter of castling where that is written 0-0 or o-o. */
static char castling_letter(char letter) {
    return letter == '0' || letter == 'o' ? 'O' : letter;
}

/* Writes (Q) and /Q after the target as Q; returns the new end. */
static char *write_promotion_as_usual(const char *text, char *end) {
    if (end - text > 4 && end[-3] == '(' && end[-1] == ')') {
        end[-3] = end[-2];
        return end - 2;
    }
    if (end - text > 3 && end[-2] == '/') {
        end[-2] = end[-1];
        return end - 1;
    }
    return end;
}

/*
 * Reads what read_words does not: e.p., 0-0, e8(Q), e8/Q, nf3, figurines. A b is always
 * the file, never a bishop, so that bxc3 has one meaning.
 */
RARELY_CALLED bool read_other_words(san_words *words, const char *text, const char *end) {
    static const char small_letters[] = {'p', 'n', 'r', 'q', 'k'};
    char plain[16], *out = plain;
    end = without_marks(text, end);
    const char *const before_en_passant = without_marks(text, without_en_passant(text, end));
    const bool says_en_passant = before_en_passant != end;
    end = before_en_passant;
    const bool castles = text < end && castling_letter(*text) == 'O';
    while (text < end && out < plain + sizeof plain) {
        const char letter = read_figurine(text, end);
        *out++ = letter ? letter : castles ? castling_letter(*text) : *text;
        text += letter ? FIGURINE_BYTES : 1;
    }
    if (text < end || out == plain) {
        return false;
    }
    if (memchr(small_letters, plain[0], sizeof small_letters)) {
        plain[0] = (char)(plain[0] & ~0x20);
    }
    out = write_promotion_as_usual(plain, out);
    return read_words(words, plain, out) && !(says_en_passant && words->type > LUFT_PAWN);
}

/* --- Finding the move ----------------------------------------------------- */

/*
 * Is castling with this rook, whose way is free, legal? The king must be safe where it stands, on every square that it
 * crosses, and on its goal when the rook is on its own: in Chess960 that may have been a shield.
 */
static bool may_castle(const luft_board *board, luft_color us, luft_square king, luft_square rook) {
    const luft_bitboard enemy = board->color[luft_opposite(us)];
    const luft_bitboard without_king = luft_occupied(board) ^ luft_bit(king);
    const luft_square goal = castled_king(king, rook);
    luft_bitboard squares = luft_bit(king) | crossed_in_castling(us, king, rook > king);
    while (squares) {
        if (!is_safe_for_king(board, us, luft_pop(&squares), without_king, enemy)) {
            return false;
        }
    }
    const luft_bitboard after = (without_king & ~luft_bit(rook)) | luft_bit(goal) | luft_bit(castled_rook(king, rook));
    return is_safe_for_king(board, us, goal, after, enemy);
}

static luft_error find_castling(luft_move *move, const luft_position *position, san_castling side) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move;
    const luft_square king = luft_king_square(board, us);
    const luft_bitboard rook = castling_candidate(board, us, king, side == KING_SIDE);
    if (!rook || !may_castle(board, us, king, luft_lsb(rook))) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *move = luft_make_move(king, luft_lsb(rook), LUFT_CASTLING);
    return LUFT_OK;
}

/* The text names both squares, as UCI and long algebraic notation do. */
static luft_error find_by_squares(luft_move *move, const luft_position *position, const san_words *words) {
    const luft_square from = luft_lsb(words->from);
    const luft_piece_type type = luft_piece_type_of(luft_piece_at(&position->board, from));
    if (words->type != LUFT_NO_PIECE_TYPE && words->type != type) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    const bool leaves_open = words->promotion == LUFT_NO_PIECE_TYPE && type == LUFT_PAWN &&
                             luft_bit(words->to) & (LUFT_RANK_1 | LUFT_RANK_8);
    const luft_move found = luft_notation_find(position, from, words->to, leaves_open ? LUFT_QUEEN : words->promotion);
    if (found == LUFT_MOVE_NONE) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (leaves_open) {
        return LUFT_ERROR_MOVE_AMBIGUOUS;
    }
    *move = found;
    return LUFT_OK;
}

/* A pawn whose file is known, so that there is at most one. */
static luft_error find_pawn_move(luft_move *move, const luft_position *position, const san_words *words) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    const luft_bitboard to = luft_bit(words->to), pawns = board->pawns & board->color[us];
    luft_bitboard from, taken = 0;
    luft_move_kind kind = LUFT_QUIET;
    if (words->from & LUFT_FILE_A << luft_file_of(words->to)) {
        const luft_bitboard near = backward(us, to), empty = ~luft_occupied(board);
        from = near & pawns;
        if (!from && near & empty & third_rank(us)) {
            from = backward(us, near) & pawns;
            kind = LUFT_DOUBLE_PUSH;
        }
        from = to & empty ? from : 0;
    } else {
        const bool passing = words->to == position->ep_square;
        taken = passing ? backward(us, to) : to & board->color[them];
        from = taken ? words->from & luft_pawn_attacks(them, words->to) & pawns : 0;
        kind = passing ? LUFT_EN_PASSANT : LUFT_CAPTURE;
    }
    if (!from || !leaves_king_safe(board, us, from, to, taken)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (to & last_rank(us)) {
        if (words->promotion == LUFT_NO_PIECE_TYPE) {
            return LUFT_ERROR_MOVE_AMBIGUOUS;
        }
        kind = (luft_move_kind)(LUFT_PROMOTE_KNIGHT + kind + (words->promotion - LUFT_KNIGHT));
    } else if (words->promotion != LUFT_NO_PIECE_TYPE) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *move = luft_make_move(luft_lsb(from), words->to, kind);
    return LUFT_OK;
}

static luft_error find_piece_move(luft_move *move, const luft_position *position, const san_words *words) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move;
    const luft_bitboard to = luft_bit(words->to);
    const luft_bitboard pieces = pieces_that_reach(board, us, words->type, words->to) & words->from;
    const luft_bitboard meant = to & board->color[us] ? 0 : legal_ones(board, us, pieces, to);
    if (!meant) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (luft_more_than_one(meant)) {
        return LUFT_ERROR_MOVE_AMBIGUOUS;
    }
    *move = luft_make_move(luft_lsb(meant), words->to, to & luft_occupied(board) ? LUFT_CAPTURE : LUFT_QUIET);
    return LUFT_OK;
}

luft_error luft_move_from_san(luft_move *move, const luft_position *position, const char *text, size_t length) {
    san_words words;
    if (!move || !position || !text) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (UNLIKELY(!read_words(&words, text, text + length)) && !read_other_words(&words, text, text + length)) {
        return LUFT_ERROR_MOVE_SYNTAX;
    }
    if (words.castling != NO_CASTLING) {
        return find_castling(move, position, words.castling);
    }
    if (!luft_more_than_one(words.from)) {
        return find_by_squares(move, position, &words);
    }
    return words.type == LUFT_PAWN ? find_pawn_move(move, position, &words) : find_piece_move(move, position, &words);
}
