# SPDX-License-Identifier: MIT
"""Boards as SVG images: luft.svg.board(position). The pieces are drawn for Luft and are under its licence."""

from __future__ import annotations

from html import escape
from typing import Iterable, Mapping, Optional, Sequence, Union

from ._core import Move, Position, square_file, square_rank
from ._setup import Setup
from ._types import Color, Piece, Square

COLORS: Mapping[str, str] = {
    "light": "#eedcb8",
    "dark": "#b08a62",
    "last_move": "#cdd26a",
    "check": "#e0523f",
    "mark": "#3c8d53",
    "arrow": "#3c8d53",
    "coordinates": "#6b5236",
    "white": "#fdfaf3",
    "black": "#3a3430",
}
"""The colours by their use; `colors` of board replaces some of them."""

_SIDE = 45  # of a square
_BASE = "M12 38 v-3 q0-1.5 1.5-1.5 h18 q1.5 0 1.5 1.5 v3 z"
_SHAPES = {
    "p": [
        "M22.5 9 a5.5 5.5 0 0 1 3.6 9.7 h2.4 v2.6 h-2.3 c.6 5.5 3 8.4 4.3 12.2 h-16 c1.3-3.8 3.7-6.7 4.3-12.2 h-2.3 v-2.6 h2.4"
        " a5.5 5.5 0 0 1 3.6-9.7 z"
    ],
    "n": [
        "M14.5 33.5 c-.5-6 4-8.5 5.5-12 c-2.5 1.5-4.5 1.2-6.5 4 c-1 1.4-3.8 1-4-1.3 c-.1-2.2 3.6-6.3 4.6-9.2 c.6-1.9 1.6-3.3 3-4.4"
        " l.7-4.6 l3.6 3.6 c6.6.6 11.6 6.6 11.4 15.6 c-.1 3-.8 5.5-.8 8.3 z",
        "M17.2 15.2 a1 1 0 1 0 .1 0 z",
    ],
    "b": [
        "M22.5 5.5 a2.3 2.3 0 0 1 1.7 3.8 c4.6 3.2 6.8 7.2 6.8 11 c0 3-1.5 5.2-3.7 6.7 l1.7 6.5 h-13"
        " l1.7-6.5 c-2.2-1.5-3.7-3.7-3.7-6.7 c0-3.8 2.2-7.8 6.8-11 a2.3 2.3 0 0 1 1.7-3.8 z",
        "M22.5 14.5 v8 M18.5 18.5 h8",
    ],
    "r": [
        "M12 8 h4.6 v3.2 h3.6 v-3.2 h4.6 v3.2 h3.6 v-3.2 h4.6 v7.5 l-3.5 3.2 l1.6 14.8 h-17.2 l1.6-14.8 l-3.5-3.2 z"
    ],
    "q": [
        "M8.5 10.5 a2 2 0 1 1 2.7 1.9 l4.3 9.1 l1-12.2 a2 2 0 1 1 2.6 0 l3.4 11.2 l3.4-11.2 a2 2 0 1 1 2.6 0 l1 12.2"
        " l4.3-9.1 a2 2 0 1 1 2.4-.4 l-3.7 21.5 h-20 l-3.7-21.5 a2 2 0 0 1-.3-1.5 z"
    ],
    "k": [
        "M21.2 5 h2.6 v2.7 h2.8 v2.6 h-2.8 v3.2 c2.5.8 3.7 2.5 4 4.2 c3.2-2.6 9.2-1.2 9.2 4.3 c0 4.6-4.5 7.5-5.5 11.5"
        " h-18 c-1-4-5.5-6.9-5.5-11.5 c0-5.5 6-6.9 9.2-4.3 c.3-1.7 1.5-3.4 4-4.2 v-3.2 h-2.8 v-2.6 h2.8 z",
        "M22.5 20.5 v9.5",
    ],
}  # fmt: skip


def _corner(where: Square, orientation: Color) -> tuple[int, int]:
    """The upper left corner of a square, as `orientation` sees the board."""
    column, row = square_file(where), 7 - square_rank(where)
    if orientation == Color.BLACK:
        column, row = 7 - column, 7 - row
    return column * _SIDE, row * _SIDE


def _square(where: Square, orientation: Color, color: str, opacity: float) -> str:
    x, y = _corner(where, orientation)
    shade = f' fill-opacity="{opacity}"' if opacity < 1 else ""
    return f'<rect x="{x}" y="{y}" width="{_SIDE}" height="{_SIDE}" fill="{color}"{shade}/>'


def piece(piece: Union[Piece, str], colors: Optional[Mapping[str, str]] = None) -> str:
    """One piece as an SVG group of 45 units in width and height."""
    found = Piece(piece)
    chosen = {name: escape(color) for name, color in {**COLORS, **(colors or {})}.items()}
    is_white = found.color == Color.WHITE
    fill, detail = (chosen["white"], chosen["black"]) if is_white else (chosen["black"], chosen["white"])
    body, *details = [*_SHAPES[found.lower()]]
    paths = f'<path d="{body} {_BASE}" fill="{fill}" stroke="{chosen["black"]}"/>'
    paths += "".join(f'<path d="{path}" fill="none" stroke="{detail}"/>' for path in details)
    return f'<g stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round">{paths}</g>'


def _arrow(start: Square, end: Square, orientation: Color, color: str) -> str:
    (x1, y1), (x2, y2) = ((x + _SIDE / 2, y + _SIDE / 2) for x, y in (_corner(start, orientation), _corner(end, orientation)))
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    if length == 0:
        return f'<circle cx="{x1}" cy="{y1}" r="20" fill="none" stroke="{color}" stroke-width="4" stroke-opacity="0.8"/>'
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    neck_x, neck_y = x2 - 18 * dx, y2 - 18 * dy
    head = " ".join(
        f"{x:.1f},{y:.1f}" for x, y in ((x2, y2), (neck_x - 9 * dy, neck_y + 9 * dx), (neck_x + 9 * dy, neck_y - 9 * dx))
    )
    return (
        f'<g opacity="0.8"><line x1="{x1:.1f}" y1="{y1:.1f}" x2="{neck_x:.1f}" y2="{neck_y:.1f}" stroke="{color}" '
        f'stroke-width="7" stroke-linecap="round"/><polygon points="{head}" fill="{color}"/></g>'
    )


def _coordinates(orientation: Color, color: str) -> list[str]:
    files, ranks = "abcdefgh", "87654321"
    if orientation == Color.BLACK:
        files, ranks = files[::-1], ranks[::-1]
    half, end = _SIDE / 2, 8 * _SIDE
    texts: list[tuple[float, float, str]] = [(i * _SIDE + half, end + 11, letter) for i, letter in enumerate(files)]
    texts += [(-8, i * _SIDE + half + 4, digit) for i, digit in enumerate(ranks)]
    style = f'font-family="sans-serif" font-size="11" text-anchor="middle" fill="{color}"'
    return [f"<g {style}>", *(f'<text x="{x}" y="{y}">{text}</text>' for x, y, text in texts), "</g>"]


def board(
    position: Union[Position, Setup],
    *,
    orientation: Color = Color.WHITE,
    lastmove: Optional[Move] = None,
    check: Optional[Square] = None,
    squares: Iterable[Square] = (),
    arrows: Iterable[Sequence[Square]] = (),
    size: Optional[int] = None,
    coordinates: bool = True,
    colors: Optional[Mapping[str, str]] = None,
) -> str:
    """A board as an SVG document.

    `orientation` is the side at the bottom. The squares of `lastmove`, the king's square `check` and `squares` are
    coloured; each of `arrows` is a pair of squares, or two equal ones for a ring. `size` is the width in pixels;
    without it the image fills its container. `colors` replaces entries of COLORS.
    """
    if not isinstance(position, (Position, Setup)):
        raise TypeError(f"expected a Position or a Setup, got {type(position)!r}")
    if lastmove is not None and not isinstance(lastmove, Move):
        raise TypeError(f"lastmove: expected a Move, got {type(lastmove)!r}")
    if size is not None and not 1 <= size < float("inf"):
        raise ValueError(f"size: expected a number of pixels, 1 or more, got {size!r}")
    chosen = {name: escape(color) for name, color in {**COLORS, **(colors or {})}.items()}
    margin = 16 if coordinates else 0
    box = f"{-margin} 0 {8 * _SIDE + margin} {8 * _SIDE + margin}"
    width = f' width="{int(size)}" height="{int(size)}"' if size is not None else ""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"{width}>']
    for number in range(64):
        is_light = (number // 8 + number % 8) % 2 == 0
        parts.append(_square(number, orientation, chosen["light" if is_light else "dark"], 1))
    if lastmove is not None:
        parts += [_square(where, orientation, chosen["last_move"], 0.7) for where in (lastmove.from_square, lastmove.to_square)]
    parts += [_square(where, orientation, chosen["mark"], 0.6) for where in squares]
    if check is not None:
        parts.append(_square(check, orientation, chosen["check"], 0.8))
    for where, found in sorted(position.piece_map().items()):
        x, y = _corner(where, orientation)
        parts.append(f'<g transform="translate({x},{y})">{piece(found, colors)}</g>')
    parts += [_arrow(start, end, orientation, chosen["arrow"]) for start, end in arrows]
    if coordinates:
        parts += _coordinates(orientation, chosen["coordinates"])
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
