/* SPDX-License-Identifier: MIT */
/*
 * Standard algebraic notation. The reader does not generate moves. The text names a piece
 * type and a target square, so the candidates are our pieces of that type among the
 * attackers of the target: rarely more than one. Only these are tested for legality.
 *
 * The reader first expects the standard form, which nearly all games use. If that fails,
 * it converts known other spellings to the standard form and reads again.
 */
#include "core/notation_internal.h"
#include "core/rules.h"
#include "core/text.h"

/* --- Pieces that reach a square ------------------------------------------- */

/*
 * Returns those of `pieces`, all on a line with the square, whose path to it is clear. This uses the 32 kB table
 * of squares between, which stays in the cache; the larger slider tables do not when used once in a while.
 * Reading games is a third faster this way.
 */
static luft_bitboard with_clear_path(luft_square square, luft_bitboard pieces, luft_bitboard occupied) {
    luft_bitboard result = 0;
    for (; pieces; pieces &= pieces - 1) {
        const luft_bitboard piece = pieces & (0 - pieces);
        result |= (luft_between(square, luft_lsb(pieces)) & occupied) == piece ? piece : 0;
    }
    return result;
}

/* Our pieces of a type other than pawn that attack a square. Ignores pins and checks. */
static luft_bitboard pieces_that_reach(const luft_board *board, luft_color us, luft_piece_type type, luft_square to) {
    const luft_bitboard own = board->color[us], orthogonal = luft_rook_rays(to), diagonal = luft_bishop_rays(to);
    luft_bitboard sliders;
    switch (type) {
    case LUFT_KNIGHT: return luft_knight_attacks(to) & board->knights & own;
    case LUFT_BISHOP: sliders = diagonal & luft_bishops(board); break;
    case LUFT_ROOK: sliders = orthogonal & luft_rooks(board); break;
    case LUFT_QUEEN: sliders = (orthogonal | diagonal) & luft_queens(board); break;
    default: return luft_king_attacks(to) & board->kings & own;
    }
    return with_clear_path(to, sliders & own, luft_occupied(board));
}

/* True if our king is safe on `king`, given the occupied squares and the enemy pieces. */
static bool is_safe_for_king(const luft_board *board, luft_color us, luft_square king, luft_bitboard occupied,
                             luft_bitboard enemy) {
    const luft_bitboard steppers = (luft_knight_attacks(king) & board->knights) |
                                   (luft_pawn_attacks(us, king) & board->pawns) |
                                   (luft_king_attacks(king) & board->kings);
    const luft_bitboard sliders =
        (luft_rook_rays(king) & board->orthogonal) | (luft_bishop_rays(king) & board->diagonal);
    return !(steppers & enemy) && !with_clear_path(king, sliders & enemy, occupied);
}

/* True if our king is safe after a move that captures on `captured`. */
static bool leaves_king_safe(const luft_board *board, luft_color us, luft_bitboard from, luft_bitboard to,
                             luft_bitboard captured) {
    const luft_bitboard kings = board->kings & board->color[us];
    const luft_bitboard enemy = board->color[luft_opposite(us)] & ~captured;
    const luft_bitboard occupied = (luft_occupied(board) & ~(from | captured)) | to;
    return is_safe_for_king(board, us, luft_lsb(from == kings ? to : kings), occupied, enemy);
}

/* Returns those of `pieces`, which all attack `to`, that can legally move there. */
static luft_bitboard legal_pieces(const luft_board *board, luft_color us, luft_bitboard pieces, luft_bitboard to) {
    luft_bitboard legal = 0;
    for (; pieces; pieces &= pieces - 1) {
        const luft_bitboard from = pieces & (0 - pieces);
        legal |= leaves_king_safe(board, us, from, to, to) ? from : 0;
    }
    return legal;
}

/* --- Writing -------------------------------------------------------------- */

static const char letter_of_type[] = " PNBRQK";

/* Queenside castling; the first three bytes are kingside castling. */
static const char castling_text[5] = {'O', '-', 'O', '-', 'O'};

/*
 * Writes what tells the piece from others of its type that can move to the same square: nothing, its file, its
 * rank or both.
 */
static char *write_origin(char *out, const luft_position *position, luft_move move, luft_piece_type type) {
    const luft_square from = luft_move_from(move), to = luft_move_to(move);
    const luft_color us = (luft_color)position->side_to_move;
    luft_bitboard rivals = pieces_that_reach(&position->board, us, type, to) & ~luft_bit(from);
    rivals = legal_pieces(&position->board, us, rivals, luft_bit(to));
    if (rivals) {
        const luft_bitboard file = LUFT_FILE_A << luft_file_of(from), rank = LUFT_RANK_1 >> 8 * luft_rank_of(from);
        if (!(rivals & file) || rivals & rank) {
            *out++ = luft_file_letter(from);
        }
        if (rivals & file) {
            *out++ = luft_rank_digit(from);
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
        *out++ = luft_file_letter(from);
    }
    if (luft_move_is_capture(move)) {
        *out++ = 'x';
    }
    *out++ = luft_file_letter(to);
    *out++ = luft_rank_digit(to);
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

/* --- Piece letters -------------------------------------------------------- */

/* Piece type of an upper-case letter, or LUFT_NO_PIECE_TYPE. */
static luft_piece_type type_of_letter(char letter) {
    static const uint8_t types['R' - 'B' + 1] = {
        ['B' - 'B'] = LUFT_BISHOP, ['K' - 'B'] = LUFT_KING,  ['N' - 'B'] = LUFT_KNIGHT,
        ['P' - 'B'] = LUFT_PAWN,   ['Q' - 'B'] = LUFT_QUEEN, ['R' - 'B'] = LUFT_ROOK,
    };
    const unsigned index = (unsigned char)letter - (unsigned)'B';
    return index < sizeof types ? (luft_piece_type)types[index] : LUFT_NO_PIECE_TYPE;
}

/* Unicode figurines in UTF-8: E2 99 94 (white king) to E2 99 9F (black pawn), king to pawn for each colour. */
#define FIGURINE_BYTES 3
#define FIGURINE_WHITE_PAWN 0x99
#define FIGURINE_BLACK_PAWN 0x9f

static char *write_figurine(char *out, luft_piece_type type) {
    *out++ = '\xe2';
    *out++ = '\x99';
    *out++ = (char)(FIGURINE_WHITE_PAWN - (type - LUFT_PAWN));
    return out;
}

/* Returns the letter of the figurine at the start of the text, or 0. */
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

/* --- Parsing -------------------------------------------------------------- */

typedef enum san_castling { NO_CASTLING, KING_SIDE, QUEEN_SIDE } san_castling;

/* The parts of a move text. */
typedef struct san_parts {
    luft_piece_type type;      /* LUFT_NO_PIECE_TYPE: any piece, and `from` is one square */
    luft_piece_type promotion; /* LUFT_NO_PIECE_TYPE if there is none */
    luft_square to;
    luft_bitboard from; /* possible origins: all squares, a file, a rank or one square */
    san_castling castling;
} san_parts;

static bool is_file(char c) {
    return c >= 'a' && c <= 'h';
}

static bool is_rank(char c) {
    return c >= '1' && c <= '8';
}

static bool is_sign(char c) {
    return c == 'x' || c == '-' || c == ':';
}

/* Marks that may follow a move. */
static bool is_mark(char c) {
    return c == '+' || c == '#' || c == '!' || c == '?';
}

static bool read_castling(san_parts *parts, const char *text, const char *end) {
    const size_t length = (size_t)(end - text);
    if ((length != 3 && length != 5) || memcmp(text, castling_text, length) != 0) {
        return false;
    }
    parts->type = LUFT_KING;
    parts->castling = length == 3 ? KING_SIDE : QUEEN_SIDE;
    return true;
}

/* Reads the optional file, rank and sign between the piece letter and the target. */
static bool read_origin(san_parts *parts, const char *text, const char *end) {
    const bool has_sign = text < end && is_sign(end[-1]);
    end -= has_sign;
    const bool has_file = text < end && is_file(*text);
    if (has_file) {
        parts->from &= LUFT_FILE_A << (*text++ - 'a');
    }
    const bool has_rank = text < end && is_rank(*text);
    if (has_rank) {
        parts->from &= LUFT_RANK_8 << 8 * ('8' - *text++);
    }
    if (parts->type <= LUFT_PAWN && !has_file) { /* a pawn move without a file is a push */
        parts->from &= LUFT_FILE_A << luft_file_of(parts->to);
        if (has_sign || has_rank) {
            return false;
        }
    }
    if (parts->type == LUFT_NO_PIECE_TYPE && !has_rank) {
        parts->type = LUFT_PAWN;
    }
    return text == end;
}

/* Reads a promotion from the end of the text, with or without its sign; false if it is not a promotion. */
static bool read_promotion(san_parts *parts, const char *text, const char **end) {
    parts->promotion = type_of_letter((char)((*end)[-1] & ~0x20)); /* accepts lower case */
    --*end;
    if (*end - text > 2 && (*end)[-1] == '=') {
        --*end;
    }
    return parts->promotion >= LUFT_KNIGHT && parts->promotion <= LUFT_QUEEN;
}

/* Reads the standard form: optional letter, origin and sign, then the target, a promotion, marks. */
static bool read_standard_form(san_parts *parts, const char *text, const char *end) {
    *parts = (san_parts){.from = ~UINT64_C(0)};
    if (end - text < 2) {
        return false;
    }
    if (!is_rank(end[-1])) {
        while (end - text > 2 && is_mark(end[-1])) {
            end--;
        }
        if (*text == 'O') {
            return read_castling(parts, text, end);
        }
        if (!is_rank(end[-1]) && !read_promotion(parts, text, &end)) {
            return false;
        }
    }
    parts->type = type_of_letter(*text);
    text += parts->type != LUFT_NO_PIECE_TYPE;
    if (end - text < 2 || !is_file(end[-2]) || !is_rank(end[-1])) {
        return false;
    }
    if (parts->promotion != LUFT_NO_PIECE_TYPE && parts->type > LUFT_PAWN) {
        return false;
    }
    parts->to = luft_square_at(end[-2] - 'a', end[-1] - '1');
    return read_origin(parts, text, end - 2);
}

/* --- Other spellings ------------------------------------------------------ */

/* Returns the end without "e.p." or "ep" and the blank before it. */
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

/* Converts 0-0 and o-o to O-O, letter by letter. */
static char castling_letter(char letter) {
    return letter == '0' || letter == 'o' ? 'O' : letter;
}

/* True for Q, R, B and N in either case. */
static bool is_promotion_letter(char c) {
    const luft_piece_type type = type_of_letter((char)(c & ~0x20));
    return type >= LUFT_KNIGHT && type <= LUFT_QUEEN;
}

/* Converts (Q) and /Q after the target square to Q; returns the new end. */
static char *normalise_promotion(const char *text, char *end) {
    if (end - text > 4 && (is_rank(end[-4]) || end[-4] == '=') && end[-3] == '(' && is_promotion_letter(end[-2]) &&
        end[-1] == ')') {
        end[-3] = end[-2];
        return end - 2;
    }
    if (end - text > 3 && is_rank(end[-3]) && end[-2] == '/' && is_promotion_letter(end[-1])) {
        end[-2] = end[-1];
        return end - 1;
    }
    return end;
}

/*
 * Converts other spellings: e.p., 0-0, e8(Q), e8/Q, nf3, figurines. A b always means the file, never a bishop,
 * so that bxc3 has one meaning.
 */
RARELY_CALLED bool read_other_spelling(san_parts *parts, const char *text, const char *end) {
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
    out = normalise_promotion(plain, out);
    return read_standard_form(parts, plain, out) && !(says_en_passant && parts->type > LUFT_PAWN);
}

/* --- Finding the move ----------------------------------------------------- */

/*
 * True if castling with this rook, whose path is clear, is legal. The king must be safe on its square, on every
 * square it crosses, and on its target after the rook has moved: in Chess960 the rook may have blocked a check.
 */
static bool castling_is_legal(const luft_board *board, luft_color us, luft_square king, luft_square rook) {
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
    if (!rook || !castling_is_legal(board, us, king, luft_lsb(rook))) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *move = luft_make_move(king, luft_lsb(rook), LUFT_CASTLING);
    return LUFT_OK;
}

/* For texts with both squares, as in UCI and long algebraic notation. */
static luft_error find_by_squares(luft_move *move, const luft_position *position, const san_parts *parts) {
    const luft_square from = luft_lsb(parts->from);
    const luft_piece_type type = luft_piece_type_of(luft_piece_at(&position->board, from));
    if (parts->type != LUFT_NO_PIECE_TYPE && parts->type != type) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    const bool lacks_promotion = parts->promotion == LUFT_NO_PIECE_TYPE && type == LUFT_PAWN &&
                                 luft_bit(parts->to) & (LUFT_RANK_1 | LUFT_RANK_8);
    const luft_move found =
        luft_notation_find(position, from, parts->to, lacks_promotion ? LUFT_QUEEN : parts->promotion);
    if (found == LUFT_MOVE_NONE) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (lacks_promotion) {
        return LUFT_ERROR_MOVE_AMBIGUOUS;
    }
    *move = found;
    return LUFT_OK;
}

/* The file of the pawn is known, so there is at most one candidate. */
static luft_error find_pawn_move(luft_move *move, const luft_position *position, const san_parts *parts) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move, them = luft_opposite(us);
    const luft_bitboard to = luft_bit(parts->to), pawns = board->pawns & board->color[us];
    luft_bitboard from, captured = 0;
    luft_move_kind kind = LUFT_QUIET;
    if (parts->from & LUFT_FILE_A << luft_file_of(parts->to)) {
        const luft_bitboard near = backward(us, to), empty = ~luft_occupied(board);
        from = near & pawns;
        if (!from && near & empty & third_rank(us)) {
            from = backward(us, near) & pawns;
            kind = LUFT_DOUBLE_PUSH;
        }
        from = to & empty ? from : 0;
    } else {
        const bool is_en_passant = parts->to == position->ep_square;
        captured = is_en_passant ? backward(us, to) : to & board->color[them];
        from = captured ? parts->from & luft_pawn_attacks(them, parts->to) & pawns : 0;
        kind = is_en_passant ? LUFT_EN_PASSANT : LUFT_CAPTURE;
    }
    if (!from || !leaves_king_safe(board, us, from, to, captured)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (to & last_rank(us)) {
        if (parts->promotion == LUFT_NO_PIECE_TYPE) {
            return LUFT_ERROR_MOVE_AMBIGUOUS;
        }
        kind = (luft_move_kind)(LUFT_PROMOTE_KNIGHT + kind + (parts->promotion - LUFT_KNIGHT));
    } else if (parts->promotion != LUFT_NO_PIECE_TYPE) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *move = luft_make_move(luft_lsb(from), parts->to, kind);
    return LUFT_OK;
}

static luft_error find_piece_move(luft_move *move, const luft_position *position, const san_parts *parts) {
    const luft_board *board = &position->board;
    const luft_color us = (luft_color)position->side_to_move;
    const luft_bitboard to = luft_bit(parts->to);
    const luft_bitboard pieces = pieces_that_reach(board, us, parts->type, parts->to) & parts->from;
    const luft_bitboard movable = to & board->color[us] ? 0 : legal_pieces(board, us, pieces, to);
    if (!movable) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    if (luft_more_than_one(movable)) {
        return LUFT_ERROR_MOVE_AMBIGUOUS;
    }
    *move = luft_make_move(luft_lsb(movable), parts->to, to & luft_occupied(board) ? LUFT_CAPTURE : LUFT_QUIET);
    return LUFT_OK;
}

luft_error luft_move_from_san(luft_move *move, const luft_position *position, const char *text, size_t length) {
    san_parts parts;
    if (!move || !position || !text) {
        return LUFT_ERROR_ARGUMENT;
    }
    if (UNLIKELY(!read_standard_form(&parts, text, text + length)) &&
        !read_other_spelling(&parts, text, text + length)) {
        return LUFT_ERROR_MOVE_SYNTAX;
    }
    if (parts.castling != NO_CASTLING) {
        return find_castling(move, position, parts.castling);
    }
    if (!luft_more_than_one(parts.from)) {
        return find_by_squares(move, position, &parts);
    }
    return parts.type == LUFT_PAWN ? find_pawn_move(move, position, &parts) : find_piece_move(move, position, &parts);
}

/* --- The null move -------------------------------------------------------- */

static bool is_null_move(const char *text, size_t length) {
    static const char *const spellings[] = {"--", "Z0", "0000", "@@@@", "null"};
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        if (length == strlen(spellings[i]) && memcmp(text, spellings[i], length) == 0) {
            return true;
        }
    }
    return false;
}

luft_error luft_move_from_san_or_null(luft_move *move, const luft_position *position, const char *text, size_t length) {
    const luft_error error = luft_move_from_san(move, position, text, length);
    if (error != LUFT_ERROR_MOVE_SYNTAX || !is_null_move(text, length)) {
        return error;
    }
    if (luft_in_check(position)) {
        return LUFT_ERROR_MOVE_ILLEGAL;
    }
    *move = LUFT_MOVE_NONE;
    return LUFT_OK;
}
