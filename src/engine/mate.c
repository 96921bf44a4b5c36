/* SPDX-License-Identifier: MIT */
/*
 * Depth-first proof-number search with a bound of the depth: a position is asked together with the plies that remain
 * until the mate. So there are no cycles, and a repetition inside the search needs no care: a side that can mate within
 * the bound can do so without one. Draws by the game before the root count, and so does the fifty-move rule.
 *
 * Each side is asked two questions in turn. The low one, "a mate one move longer than those refuted?", finds the shortest
 * mate; the high one, "a mate in fewer moves than the shortest known?", finds long mates whose shorter ones are hard to
 * refute.
 */
#include "mate.h"

#include "minmax.h"

#include "luft/game.h"

#include <stdlib.h>
#include <string.h>

enum {
    PLIES_MAX = 2 * MATE_MOVES_MAX,
    DRAWN_MAX = 64,      /* positions that can have occurred twice within the fifty-move rule: 50 */
    CLUSTER_SIZE = 4,    /* slots that a position can be in */
    NOT_PROVED = 255,    /* as a number of plies */
    QUIET_FACTOR = 3,    /* how much harder a reply to a quiet move is to prove than a reply to a check */
    GIVE_UP = 2,         /* with a mate known, shorter ones are looked for as long again */
    MIN_WORK = 50000,    /* positions to look at before anything is given up */
    FOLLOW_WORK = 20000, /* positions to look at for the variation, beyond what the table knows */
    FOLLOW_ROUNDS = 100
};

#define INFINITE_NUMBER UINT32_C(0x40000000)

/* What distinguishes questions that have the same position. */
#define ATTACKER_KEY UINT64_C(0x9d39247e33776d41)
#define FIRST_MOVES_KEY UINT64_C(0x2af7398005aaa5c7)
#define CLOCK_KEY UINT64_C(0x44db015024623547)
#define BLACK_KEY UINT64_C(0x9c15f73e62a76ae2)

typedef struct mate_numbers {
    uint32_t proof, disproof;
} mate_numbers;

static const mate_numbers proved = {0, INFINITE_NUMBER}, refuted = {INFINITE_NUMBER, 0};

/* The number that the side to move wants to bring to 0; with `!attacks` in place of `attacks`, the other one. */
static uint32_t own_number(mate_numbers numbers, bool attacks) {
    return attacks ? numbers.proof : numbers.disproof;
}

/* What is known of a position. Empty if `work` is 0. */
typedef struct mate_slot {
    uint64_t key;
    mate_numbers open; /* the numbers of the question with `remaining` plies */
    uint32_t work;
    uint8_t remaining;
    uint8_t proved;  /* a mate within so many plies, or NOT_PROVED */
    uint8_t refuted; /* no mate within fewer plies than this */
} mate_slot;

typedef struct mate_child {
    mate_numbers numbers;
    luft_move move;
    uint8_t plies; /* if proved: the mate comes within so many plies */
} mate_child;

typedef struct mate_frame {
    luft_position position;
    luft_move_list list; /* for the making of the children; here because the stack of a thread is small */
    int child_count;
    mate_child children[LUFT_MAX_MOVES];
} mate_frame;

/* What is known of the mates of one side, in moves. */
typedef struct mate_goal {
    int refuted; /* no mate in so many */
    int proved;  /* a mate in so many; one more than asked for if none is known */
    int64_t work, work_when_proved;
    luft_move move; /* the first of the proved mate */
} mate_goal;

struct mate_search {
    mate_slot *slots;
    size_t cluster_count;
    bool is_used; /* the table is not empty */
    luft_position root;
    int moves;
    bool is_cut; /* more moves were asked for */
    int first_count;
    luft_move first_moves[LUFT_MAX_MOVES];
    bool is_clock_near; /* the fifty-move rule can end the game within the bound */
    int drawn_count;
    uint64_t drawn[DRAWN_MAX]; /* keys of the positions that would occur for the third time */
    mate_goal goals[2];        /* of the side to move and of its opponent */
    int turn;
    int64_t positions, quota; /* looked at so far; when to stop */
    bool is_attacker_first;   /* in the current question the side to move at the root mates */
    luft_color attacker;
    mate_frame frames[PLIES_MAX + 1];
};

/* --- The table ------------------------------------------------------------- */

static uint64_t question_key(const mate_search *search, const luft_position *position, bool is_root) {
    uint64_t key = luft_key(position);
    key ^= position->side_to_move == search->attacker ? ATTACKER_KEY : 0;
    key ^= is_root && search->first_count > 0 ? FIRST_MOVES_KEY : 0;
    return search->is_clock_near ? key ^ CLOCK_KEY * (uint64_t)position->halfmove_clock : key;
}

static mate_slot *cluster_of(const mate_search *search, uint64_t key) {
    /* The high bits choose the cluster, as in tt.c: all bits of a key are equally random. */
    const uint64_t index = (key >> 32) * (uint64_t)search->cluster_count >> 32;
    return search->slots + index * CLUSTER_SIZE;
}

static const mate_slot *find_slot(const mate_search *search, uint64_t key) {
    const mate_slot *cluster = cluster_of(search, key);
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        if (cluster[i].work > 0 && cluster[i].key == key) {
            return &cluster[i];
        }
    }
    return NULL;
}

/* The slot of the position, or the one on which the least work was spent. */
static mate_slot *claim_slot(mate_search *search, uint64_t key) {
    mate_slot *cluster = cluster_of(search, key), *least = cluster;
    for (int i = 0; i < CLUSTER_SIZE; i++) {
        if (cluster[i].work > 0 && cluster[i].key == key) {
            return &cluster[i];
        }
        least = cluster[i].work < least->work ? &cluster[i] : least;
    }
    *least = (mate_slot){.key = key, .proved = NOT_PROVED};
    return least;
}

static void store(mate_search *search, uint64_t key, int remaining, mate_numbers found, int plies, int64_t work) {
    mate_slot *slot = claim_slot(search, key);
    if (found.proof == 0) {
        slot->proved = (uint8_t)min(slot->proved, plies);
    } else if (found.disproof == 0) {
        slot->refuted = (uint8_t)max(slot->refuted, remaining + 1);
    } else {
        slot->open = found;
        slot->remaining = (uint8_t)remaining;
    }
    const int64_t total = slot->work + max(1, (int)(work < INT32_MAX / 2 ? work : INT32_MAX / 2));
    slot->work = (uint32_t)(total < INT32_MAX ? total : INT32_MAX);
}

/* Sets what the table knows of the question. Returns whether it knows anything. */
static bool recall(const mate_search *search, uint64_t key, int remaining, mate_child *child) {
    const mate_slot *slot = find_slot(search, key);
    if (!slot) {
        return false;
    }
    if (slot->proved <= remaining) {
        child->numbers = proved;
        child->plies = slot->proved;
        return true;
    }
    if (slot->refuted > remaining) {
        child->numbers = refuted;
        return true;
    }
    if (slot->remaining == remaining && slot->open.proof > 0) {
        child->numbers = slot->open;
        return true;
    }
    return false;
}

/* --- Positions ------------------------------------------------------------- */

/* luft_key sees the position from the side to move, so it does not tell the colours. */
static uint64_t key_with_color(uint64_t key, luft_color side) {
    return side == LUFT_BLACK ? key ^ BLACK_KEY : key;
}

/* Mate is tested before: it counts even with the hundredth ply. */
static bool is_draw(const mate_search *search, const luft_position *position) {
    if (position->halfmove_clock >= 100 || luft_has_insufficient_material(position)) {
        return true;
    }
    const uint64_t key = key_with_color(luft_key(position), (luft_color)position->side_to_move);
    for (int i = 0; i < search->drawn_count; i++) {
        if (search->drawn[i] == key) {
            return true;
        }
    }
    return false;
}

static bool has_mate_in_one(mate_search *search, const luft_position *position) {
    luft_move_list list;
    luft_generate(&list, position, LUFT_ALL_MOVES);
    for (int i = 0; i < list.count; i++) {
        if (luft_gives_check(position, list.moves[i])) {
            luft_position next;
            luft_make(&next, position, list.moves[i]);
            search->positions++;
            if (!luft_has_legal_move(&next)) {
                return true;
            }
        }
    }
    return false;
}

/* The first estimate for a position in which the attacker is to move. */
static void open_attack(mate_search *search, const luft_position *position, int remaining, mate_child *child) {
    if (is_draw(search, position)) {
        child->numbers = refuted;
    } else if (remaining > 1) {
        child->numbers = (mate_numbers){1, 1};
    } else if (has_mate_in_one(search, position)) {
        child->numbers = proved;
        child->plies = 1;
    } else {
        child->numbers = refuted;
    }
}

/* The same for the defender: all its replies have to be proved, which is harder after a quiet move. */
static void open_defence(const mate_search *search, const luft_position *position, int remaining, mate_child *child) {
    const bool in_check = luft_in_check(position);
    const int replies = in_check || remaining > 0 ? luft_count_moves(position) : 1;
    if (replies == 0 && in_check) {
        child->numbers = proved;
        child->plies = 0;
    } else if (replies == 0 || remaining == 0 || is_draw(search, position)) {
        child->numbers = refuted;
    } else {
        child->numbers = (mate_numbers){(uint32_t)(in_check ? replies : QUIET_FACTOR * replies), 1};
    }
}

static mate_child open_child(mate_search *search, const luft_position *position, luft_move move, int remaining) {
    mate_child child = {.move = move};
    luft_position next;
    luft_make(&next, position, move);
    search->positions++;
    if (recall(search, question_key(search, &next, false), remaining, &child)) {
        return child;
    }
    if (next.side_to_move == search->attacker) {
        open_attack(search, &next, remaining, &child);
    } else {
        open_defence(search, &next, remaining, &child);
    }
    return child;
}

/* Sets the children of a frame. One that decides it is enough. */
static void expand(mate_search *search, mate_frame *frame, int remaining) {
    const luft_position *position = &frame->position;
    const bool is_root = frame == search->frames;
    const bool attacks = position->side_to_move == search->attacker;
    const bool has_first_moves = is_root && search->first_count > 0;
    const int count = has_first_moves ? search->first_count : luft_generate(&frame->list, position, LUFT_ALL_MOVES);
    const luft_move *moves = has_first_moves ? search->first_moves : frame->list.moves;
    frame->child_count = 0;
    for (int i = 0; i < count; i++) {
        const mate_child child = open_child(search, position, moves[i], remaining - 1);
        if (own_number(child.numbers, attacks) == 0) {
            frame->children[0] = child;
            frame->child_count = 1;
            return;
        }
        frame->children[frame->child_count++] = child;
    }
}

/* --- The search ------------------------------------------------------------ */

/* Which child to search next, and the numbers that follow from all children. */
typedef struct mate_choice {
    mate_numbers total;
    mate_child *best;
    uint32_t second; /* the number of the next best child: its proof or disproof number, as the side to move wants */
    int plies;       /* if proved: the mate comes within so many plies */
} mate_choice;

static mate_choice choose(mate_frame *frame, bool attacks) {
    uint32_t best = INFINITE_NUMBER, second = INFINITE_NUMBER;
    uint64_t sum = 0;
    int shortest = NOT_PROVED, longest = -1;
    mate_choice choice = {.best = frame->children};
    for (int i = 0; i < frame->child_count; i++) {
        mate_child *child = &frame->children[i];
        const uint32_t own = own_number(child->numbers, attacks);
        sum += own_number(child->numbers, !attacks);
        if (own < best) {
            second = best;
            best = own;
            choice.best = child;
        } else {
            second = own < second ? own : second;
        }
        if (child->numbers.proof == 0) {
            shortest = min(shortest, child->plies);
            longest = max(longest, child->plies);
        }
    }
    const uint32_t other = best == 0 ? INFINITE_NUMBER : sum < INFINITE_NUMBER ? (uint32_t)sum : INFINITE_NUMBER - 1;
    choice.second = second;
    choice.total = attacks ? (mate_numbers){best, other} : (mate_numbers){other, best};
    choice.plies = 1 + (attacks ? shortest : longest);
    return choice;
}

/*
 * How far to search the best child: until it is twice as hard as the next best one. To stop as soon as it is harder, as
 * the plain algorithm does, makes the search jump to and fro between two children and expand both again each time.
 */
static mate_numbers child_limit(const mate_choice *choice, mate_numbers limit, bool attacks) {
    const uint32_t own = own_number(limit, attacks), other = own_number(limit, !attacks);
    const uint32_t rest = own_number(choice->total, !attacks) - own_number(choice->best->numbers, !attacks);
    const uint32_t turn = choice->second < INFINITE_NUMBER / 2 - 4 ? 2 * choice->second + 4 : INFINITE_NUMBER;
    const uint32_t own_limit = turn < own ? turn : own;
    return attacks ? (mate_numbers){own_limit, other - rest} : (mate_numbers){other - rest, own_limit};
}

/* Searches the position of a frame until one of its numbers reaches the limit, or the quota is used up. */
static mate_child search_frame_of(mate_search *search, mate_frame *frame, int remaining, mate_numbers limit) {
    const bool attacks = frame->position.side_to_move == search->attacker;
    const int64_t before = search->positions;
    expand(search, frame, remaining);
    mate_choice choice = choose(frame, attacks);
    while (choice.total.proof < limit.proof && choice.total.disproof < limit.disproof &&
           search->positions < search->quota) {
        mate_child *best = choice.best;
        luft_make(&frame[1].position, &frame->position, best->move);
        const mate_child found =
            search_frame_of(search, frame + 1, remaining - 1, child_limit(&choice, limit, attacks));
        best->numbers = found.numbers;
        best->plies = found.plies;
        choice = choose(frame, attacks);
    }
    const uint64_t key = question_key(search, &frame->position, frame == search->frames);
    store(search, key, remaining, choice.total, choice.plies, search->positions - before);
    return (mate_child){.numbers = choice.total, .plies = (uint8_t)choice.plies};
}

/* The child that keeps to the proof: the shortest for the attacker, the longest for the defender. */
static const mate_child *proved_child(const mate_frame *frame, bool attacks) {
    const mate_child *best = NULL;
    for (int i = 0; i < frame->child_count; i++) {
        const mate_child *child = &frame->children[i];
        if (child->numbers.proof == 0 &&
            (!best || (attacks ? child->plies < best->plies : child->plies > best->plies))) {
            best = child;
        }
    }
    return best;
}

/* --- Questions ------------------------------------------------------------- */

/* The plies until a mate in so many moves, for the attacker of the current question. */
static int plies_of(const mate_search *search, int moves) {
    return 2 * moves - (search->is_attacker_first ? 1 : 0);
}

static void set_attacker(mate_search *search, int index) {
    const luft_color side = (luft_color)search->root.side_to_move;
    search->is_attacker_first = index == 0;
    search->attacker = index == 0 ? side : luft_opposite(side);
}

/* Asks whether this side mates in so many moves, until the quota is used up. */
static void ask(mate_search *search, int index, int moves) {
    mate_goal *goal = &search->goals[index];
    const int64_t before = search->positions;
    const mate_numbers no_limit = {INFINITE_NUMBER, INFINITE_NUMBER};
    set_attacker(search, index);
    search->frames[0].position = search->root;
    const mate_child answer = search_frame_of(search, search->frames, plies_of(search, moves), no_limit);
    goal->work += search->positions - before;
    if (answer.numbers.proof == 0) {
        goal->proved = (answer.plies + 1) / 2;
        goal->work_when_proved = goal->work;
        goal->move = proved_child(search->frames, index == 0)->move;
    } else if (answer.numbers.disproof == 0) {
        goal->refuted = max(goal->refuted, moves);
    }
}

static bool has_mate(const mate_search *search, int index) {
    return search->goals[index].proved <= search->moves;
}

/* Is the shortest mate known, or that there is none? */
static bool is_settled(const mate_search *search, int index) {
    return search->goals[index].refuted + 1 >= search->goals[index].proved;
}

static bool is_refuted(const mate_search *search, int index) {
    return is_settled(search, index) && !has_mate(search, index);
}

static mate_state state_of(const mate_search *search) {
    for (int index = 0; index < 2; index++) {
        const mate_goal *goal = &search->goals[index];
        if (has_mate(search, index) &&
            (is_settled(search, index) || goal->work >= GIVE_UP * goal->work_when_proved + MIN_WORK)) {
            return MATE_PROVED;
        }
    }
    if (is_refuted(search, 0) && is_refuted(search, 1)) {
        return search->is_cut ? MATE_BEYOND : MATE_REFUTED;
    }
    return MATE_OPEN;
}

/* Is there any use in asking this side? Not if its mates are settled, nor if the opponent mates. */
static bool is_asked(const mate_search *search, int index) {
    return !is_settled(search, index) && !has_mate(search, 1 - index);
}

mate_state mate_step(mate_search *search, int64_t positions) {
    search->quota = search->positions + positions;
    mate_state state = state_of(search);
    while (state == MATE_OPEN && search->positions < search->quota) {
        const int index = search->turn >> 1 & 1;
        const mate_goal *goal = &search->goals[index];
        if (is_asked(search, index)) {
            ask(search, index, search->turn & 1 ? goal->proved - 1 : goal->refuted + 1);
        }
        search->turn++;
        state = state_of(search);
    }
    return state;
}

/* --- The variation --------------------------------------------------------- */

/* Sets the children of a position that is a proved mate. The table may have lost some; then they are proved again. */
static mate_choice prove_again(mate_search *search, mate_frame *frame, int remaining) {
    const bool attacks = frame->position.side_to_move == search->attacker;
    expand(search, frame, remaining);
    mate_choice choice = choose(frame, attacks);
    if (choice.total.proof > 0) {
        search_frame_of(search, frame, remaining, (mate_numbers){INFINITE_NUMBER, INFINITE_NUMBER});
        choice = choose(frame, attacks);
    }
    return choice;
}

/*
 * Follows the proof to the mate, and stores on the way back how long each position takes at most. Returns that of the
 * root, or `remaining` if the variation ends early because the quota is used up. It can be longer than the variation: then a
 * position has been proved a shorter mate since its parent was.
 */
static int follow(mate_search *search, int remaining, search_pv *pv) {
    int ply = 0, bounds[PLIES_MAX + 1] = {remaining};
    uint64_t keys[PLIES_MAX + 1];
    for (pv->length = 0; remaining > 0; ply++) {
        mate_frame *frame = &search->frames[ply];
        const bool attacks = frame->position.side_to_move == search->attacker;
        const mate_choice choice = prove_again(search, frame, remaining);
        if (choice.total.proof > 0) {
            break;
        }
        const mate_child *next = proved_child(frame, attacks);
        keys[ply] = question_key(search, &frame->position, ply == 0);
        bounds[ply] = choice.plies;
        pv->moves[pv->length++] = next->move;
        luft_make(&frame[1].position, &frame->position, next->move);
        remaining = next->plies;
    }
    for (int i = ply - 1; i >= 0; i--) {
        store(search, keys[i], bounds[i], proved, bounds[i], 1);
    }
    return bounds[0];
}

int mate_variation(mate_search *search, search_pv *pv) {
    const int index = has_mate(search, 0) ? 0 : 1;
    const mate_goal *goal = &search->goals[index];
    set_attacker(search, index);
    search->frames[0].position = search->root;
    search->quota = search->positions + FOLLOW_WORK;
    int plies = plies_of(search, goal->proved), length = -1;
    for (int round = 0; round < FOLLOW_ROUNDS && length != plies; round++) {
        plies = follow(search, plies, pv);
        length = pv->length; /* each round that finds it shorter has tightened a bound */
    }
    if (length == 0) {
        *pv = (search_pv){.length = 1, .moves = {goal->move}};
    }
    return index == 0 ? mate_in(plies) : mated_in(plies);
}

/* --- Creation -------------------------------------------------------------- */

mate_search *mate_create(size_t bytes) {
    mate_search *search = malloc(sizeof *search);
    const size_t clusters = bytes / (CLUSTER_SIZE * sizeof(mate_slot));
    if (!search) {
        return NULL;
    }
    search->is_used = false;
    search->cluster_count = clusters > 0 ? clusters : 1;
    search->slots = calloc(search->cluster_count * CLUSTER_SIZE, sizeof(mate_slot));
    if (!search->slots) {
        free(search);
        return NULL;
    }
    return search;
}

void mate_free(mate_search *search) {
    if (search) {
        free(search->slots);
        free(search);
    }
}

/* Notes the positions of the game, the root included, that have occurred twice since the last irreversible move. */
static void note_drawn(mate_search *search, const luft_position *root, const uint64_t *keys, size_t key_count) {
    const size_t reach = root->halfmove_clock < key_count ? root->halfmove_clock : key_count;
    const luft_color side = (luft_color)root->side_to_move;
    search->drawn_count = 0;
    /* Positions are counted backwards from the root, so that those with an even number have its side to move. */
    for (size_t later = 0; later < reach; later++) {
        const uint64_t key = later > 0 ? keys[key_count - later] : luft_key(root);
        size_t earlier = later + 2;
        while (earlier <= reach && keys[key_count - earlier] != key) {
            earlier += 2;
        }
        if (earlier <= reach && search->drawn_count < DRAWN_MAX) {
            search->drawn[search->drawn_count++] = key_with_color(key, later % 2 ? luft_opposite(side) : side);
        }
    }
}

void mate_begin(mate_search *search, const luft_position *root, const uint64_t *keys, size_t key_count, int wanted,
                const luft_move *first_moves, int first_count) {
    if (search->is_used) { /* a new table is empty, and may not even be in memory yet */
        memset(search->slots, 0, search->cluster_count * CLUSTER_SIZE * sizeof(mate_slot));
    }
    search->is_used = true;
    search->root = *root;
    const int moves = min(wanted, MATE_MOVES_MAX);
    search->moves = moves;
    search->is_cut = moves < wanted;
    search->first_count = first_count;
    if (first_count > 0) {
        memcpy(search->first_moves, first_moves, (size_t)first_count * sizeof *first_moves);
    }
    search->is_clock_near = root->halfmove_clock + 2 * moves >= 100;
    search->goals[0] = search->goals[1] = (mate_goal){.proved = moves + 1};
    search->turn = 0;
    search->positions = 0;
    note_drawn(search, root, keys, key_count);
}

bool mate_is_refuted(const mate_search *search) {
    return is_refuted(search, 0) && !search->is_cut;
}

int64_t mate_positions(const mate_search *search) {
    return search->positions;
}
