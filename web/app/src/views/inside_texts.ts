// SPDX-License-Identifier: MIT
// The texts of the Inside tab: three sentences for each set of squares, and the chapter of internals.md that explains it.

export interface Topic {
  id: string;
  group: string;
  name: string;
  text: string;
  chapter: string;
}

const WORDS = "the-board-eight-words";

export const TOPICS: readonly Topic[] = [
  { id: "occupied", group: "Board", name: "Occupancy", chapter: WORDS, text: "A bitboard is a number of 64 bits, one for each square: a8 is the lowest bit, h1 the highest. Here the bit of every occupied square is set. Sliding pieces stop at these squares." },
  { id: "words.pawns", group: "Eight words", name: "Pawns", chapter: WORDS, text: "Luft keeps a board in eight such numbers, which fill one cache line. This one has the pawns of both sides. One side's pawns are this number AND the number of that side." },
  { id: "words.knights", group: "Eight words", name: "Knights", chapter: WORDS, text: "The second word has the knights of both sides. Six kinds of pieces need only five words, because queens are in two of them. The other words hold the sides and the castling rights." },
  { id: "words.diagonal", group: "Eight words", name: "Diagonal sliders", chapter: WORDS, text: "Bishops and queens are together in one word. A generator asks for all pieces that move along diagonals far more often than for bishops alone. Bishops are this word without the next one." },
  { id: "words.orthogonal", group: "Eight words", name: "Orthogonal sliders", chapter: WORDS, text: "Rooks and queens, the pieces that move along ranks and files. A piece in both words of sliders is a queen. So three kinds of pieces take two words." },
  { id: "words.kings", group: "Eight words", name: "Kings", chapter: WORDS, text: "Both kings. The square of a king is the lowest set bit of this word AND its side's word. Everything about checks and pins starts from that square." },
  { id: "words.white", group: "Eight words", name: "White", chapter: WORDS, text: "All pieces of White. Together with the five words of kinds, this gives each of the six sets of White's pieces with one AND. A move flips two of its bits: the old square and the new one." },
  { id: "words.black", group: "Eight words", name: "Black", chapter: WORDS, text: "All pieces of Black. White OR Black are the occupied squares. No square may be in both." },
  { id: "words.castling", group: "Eight words", name: "Castling rooks", chapter: WORDS, text: "The castling rights are the set of rooks that may still castle. A rook that moves or is captured leaves the set, and a king that moves removes both of its rooks. The same works for Chess960, where rooks start anywhere." },
  { id: "planes.bit0", group: "Planes", name: "Plane 1 of the pieces", chapter: "planes", text: "Three planes code the piece on each square: pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6. This plane has the lowest bit: pawns, bishops and queens. Planes are seen by the side to move, so the same rules serve both colours." },
  { id: "planes.bit1", group: "Planes", name: "Plane 2 of the pieces", chapter: "planes", text: "The middle bit of the code: knights, bishops and kings. An empty square has code 0, so it is in none of the three planes. Their OR is the occupancy." },
  { id: "planes.bit2", group: "Planes", name: "Plane 3 of the pieces", chapter: "planes", text: "The highest bit of the code: rooks, queens and kings. In planes h8 is the lowest bit, so that north is a shift by 8 and east a shift by 1. For Black the ranks are reversed." },
  { id: "planes.us", group: "Planes", name: "Plane of the side to move", chapter: "planes", text: "All pieces of the side to move. After a move the planes are turned: their ranks are reversed, which is one instruction for each. Then this plane and the next one change places." },
  { id: "planes.them", group: "Planes", name: "Plane of the opponent", chapter: "planes", text: "All pieces of the opponent. Five planes are a whole board, and 48 bytes a whole position. Nothing in them says which side is White." },
  { id: "square.attacks", group: "Piece", name: "Attacks of a piece", chapter: "2-attack-tables-and-magics", text: "The squares that the chosen piece attacks, its own side's pieces included. For kings, knights and pawns this is one number from a table. Sliding pieces need the occupied squares too." },
  { id: "square.attackers", group: "Piece", name: "Attackers of a square", chapter: "who-gives-check", text: "The pieces of both sides that attack the chosen square. To find them, put every kind of piece on the square and look from there: a knight on the square attacks exactly the knights that attack it. No list of pieces is needed." },
  { id: "square.legalTargets", group: "Piece", name: "Legal targets of a piece", chapter: "7-the-generator", text: "Where the chosen piece may go. These are its attacks, without its own side's pieces, AND the check mask, AND its pin ray if it is pinned. No move has to be made to test whether it is legal." },
  { id: "square.pinRay", group: "Piece", name: "Pin ray of a piece", chapter: "the-pin-masks", text: "The squares to which a pinned piece may go without exposing its king. The ray runs from the king to the piece that pins. It is empty if the chosen piece is not pinned." },
  { id: "magic", group: "Piece", name: "Magic lookup", chapter: "sliding-pieces", text: "The attacks of a rook or bishop depend only on the pieces on its rays. One multiplication gathers these few bits at the top of a number, and a shift makes them an index. At that index of a table stand the attacks." },
  { id: "kingAttackMap", group: "King", name: "King attack map", chapter: "the-check-mask", text: "The pieces that give check, and for sliders the squares between them and the king. A move that is not the king's must go to one of these squares. The map is empty without a check." },
  { id: "checkMask", group: "King", name: "Check mask", chapter: "the-check-mask", text: "The squares to which pieces other than the king may go, as far as checks allow it. Without a check these are all squares; with one, the king attack map; in double check, none. The generator needs no other test for checks." },
  { id: "pinOrthogonal", group: "King", name: "Pin rays, ranks and files", chapter: "the-pin-masks", text: "All rays along ranks and files on which a piece is pinned to the king of the side to move. A pinned rook or queen may move along its ray. Bishops and knights on such a ray cannot move." },
  { id: "pinDiagonal", group: "King", name: "Pin rays, diagonals", chapter: "the-pin-masks", text: "All rays along diagonals on which a piece is pinned to the king of the side to move. A pinned bishop or queen may move along its ray, and a pawn may capture along it. Knights and rooks on such a ray cannot move." },
  { id: "reachOwn", group: "King", name: "Reach of the own king", chapter: "who-gives-check", text: "Where a queen on the king's square could go. Pins and checks by sliders can only come along these squares. So most positions need no closer look." },
  { id: "reachOther", group: "King", name: "Reach of the other king", chapter: "who-gives-check", text: "The same for the opponent's king. A move that neither leaves these squares nor goes to one cannot give check, apart from knights and a few special moves. So most moves need no test whether they give check." },
  { id: "legalTargets", group: "Moves", name: "All legal targets", chapter: "7-the-generator", text: "All squares to which the side to move can go. The generator computes them for each piece with the sets above. It never has to make a move to see that it is illegal." },
  { id: "keys", group: "Moves", name: "The two keys", chapter: "6-the-two-hashes", text: "A key is a number for a position; equal positions have equal keys. Luft keeps two: the position as the side to move sees it, and as the opponent does. A move swaps them and changes both by a few constants, so a position and its colour-flipped form share a key." },
  { id: "perft", group: "Moves", name: "Perft", chapter: "8-perft", text: "Perft counts all sequences of legal moves of a given length. One wrong rule changes the count, so generators are compared by it. The list divides the count by the first move." },
];
