# SPDX-License-Identifier: MIT
#
# Draws a line plot as SVG: awk -f bench/plot.awk DATA >PLOT.svg
#
# The data are lines of fields with tabs between them:
#
#     title   TEXT
#     x       LABEL   VALUE VALUE ...          the places on the x axis, at equal distances
#     y       LABEL   log|linear   seconds|times
#     series  NAME    VALUE VALUE ...          one for each place; empty where there is none
#     guide   NAME    VALUE VALUE ...          the same, drawn as a thin dashed line
#
# The picture has a background of its own, so that it can be read on a dark page too;
# series differ in colour and in the shape of their points.
BEGIN {
    FS = "\t"
    width = 840
    height = 410
    left = 76
    right = 556 # the names of the series stand beside the plot
    top = 66
    bottom = 350
    split("#0072b2 #d55e00 #009e73 #a6498a #806000 #333333", colours, " ")
}

$1 == "title" {
    title = $2
}

$1 == "x" {
    x_label = $2
    places = NF - 2
    for (i = 1; i <= places; i++) {
        place[i] = $(i + 2)
    }
}

$1 == "y" {
    y_label = $2
    is_log = $3 == "log"
    unit = $4
}

$1 == "series" || $1 == "guide" {
    name[++count] = $2
    is_guide[count] = $1 == "guide"
    for (i = 1; i <= places; i++) {
        value[count, i] = $(i + 2)
        if ($(i + 2) != "") {
            if (smallest == "" || $(i + 2) + 0 < smallest) {
                smallest = $(i + 2) + 0
            }
            if ($(i + 2) + 0 > largest) {
                largest = $(i + 2) + 0
            }
        }
    }
}

function escaped(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}

function text(x, y, anchor, size, colour, words) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>\n",
        x, y, anchor, size, colour, escaped(words)
}

function line(x1, y1, x2, y2, colour) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", x1, y1, x2, y2, colour
}

# A tick as a reader wants it: times below a second in smaller units.
function tick_text(tick) {
    if (unit != "seconds") {
        return sprintf("%.6g", tick)
    }
    if (tick >= 0.9999 || tick == 0) {
        return sprintf("%.6g s", tick)
    }
    return tick >= 0.0009999 ? sprintf("%.6g ms", tick * 1e3) : sprintf("%.6g µs", tick * 1e6)
}

# The ticks of a logarithmic axis: the powers of ten, with twice and five times as much between them if they are few.
function log_ticks(    decade, step, tick, all, list, i, first, last) {
    all = log(largest / smallest) < log(1000)
    for (decade = -7; decade <= 7; decade++) {
        for (step = 1; step <= 5; step += (step == 1 ? 1 : 3)) {
            if (all || step == 1) {
                list[++i] = step * exp(decade * log(10))
            }
        }
    }
    for (first = i; list[first] > smallest * 1.000001; first--) {
    }
    for (last = 1; list[last] < largest * 0.999999; last++) {
    }
    for (i = first; i <= last; i++) {
        ticks[++tick_count] = list[i]
    }
}

# The ticks of a linear axis from 0: four to nine of them.
function linear_ticks(    step, tick) {
    step = exp(int(log(largest) / log(10) - 2) * log(10))
    while (largest / step > 9) {
        step *= 2
        if (largest / step > 9) {
            step *= 2.5
        }
    }
    for (tick = 0; tick < largest + step * 0.999; tick += step) {
        ticks[++tick_count] = tick
    }
}

function x_of(i) {
    return left + (right - left) * (i - 0.5) / places
}

function y_of(number,    part) {
    if (is_log) {
        part = log(number / ticks[1]) / log(ticks[tick_count] / ticks[1])
    } else {
        part = number / ticks[tick_count]
    }
    return bottom - (bottom - top) * part
}

function draw_axes(    i, y) {
    for (i = 1; i <= tick_count; i++) {
        y = y_of(ticks[i])
        line(left, y, right, y, "#dddddd")
        text(left - 8, y + 4, "end", 12, "#333333", tick_text(ticks[i]))
    }
    line(left, top, left, bottom, "#555555")
    line(left, bottom, right, bottom, "#555555")
    for (i = 1; i <= places; i++) {
        line(x_of(i), bottom, x_of(i), bottom + 5, "#555555")
        text(x_of(i), bottom + 20, "middle", 12, "#333333", place[i])
    }
    text((left + right) / 2, bottom + 44, "middle", 13, "#333333", x_label)
    text(left - 60, top - 12, "start", 13, "#333333", y_label)
}

function draw_point(shape, x, y, colour) {
    if (shape == 1) {
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", x, y, colour
    } else if (shape == 2) {
        printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"7\" height=\"7\" fill=\"%s\"/>\n", x - 3.5, y - 3.5, colour
    } else if (shape == 3) {
        printf "<path d=\"M%.1f %.1f l5 9 h-10 z\" fill=\"%s\"/>\n", x, y - 5.5, colour
    } else if (shape == 4) {
        printf "<path d=\"M%.1f %.1f l5 5 l-5 5 l-5 -5 z\" fill=\"%s\"/>\n", x, y - 5, colour
    } else {
        printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"2\"/>\n",
            x, y, colour
    }
}

function draw_series(s, colour, shape,    i, way) {
    for (i = 1; i <= places; i++) {
        if (value[s, i] != "") {
            way = way sprintf("%s%.1f %.1f", (way == "" ? "M" : " L"), x_of(i), y_of(value[s, i]))
        }
    }
    printf "<path d=\"%s\" fill=\"none\" stroke=\"%s\" %s/>\n", way, colour,
        is_guide[s] ? "stroke-dasharray=\"5 4\"" : "stroke-width=\"2\""
    for (i = 1; i <= places && !is_guide[s]; i++) {
        if (value[s, i] != "") {
            draw_point(shape, x_of(i), y_of(value[s, i]), colour)
        }
    }
}

# The name beside the plot, with a piece of its line.
function draw_name(s, row, colour, shape,    y) {
    y = top + 14 + row * 24
    printf "<path d=\"M%d %.1f h26\" stroke=\"%s\" %s/>\n", right + 18, y, colour,
        is_guide[s] ? "stroke-dasharray=\"5 4\"" : "stroke-width=\"2\""
    if (!is_guide[s]) {
        draw_point(shape, right + 31, y, colour)
    }
    text(right + 52, y + 4, "start", 12, "#111111", name[s])
}

END {
    if (is_log) {
        log_ticks()
    } else {
        linear_ticks()
    }
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" " \
        "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" role=\"img\">\n", width, height, width, height
    printf "<title>%s</title>\n", escaped(title)
    printf "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\"/>\n", width, height
    text(16, 24, "start", 15, "#111111", title)
    draw_axes()
    for (s = 1; s <= count; s++) {
        if (is_guide[s]) {
            colour = "#666666"
        } else {
            colour = colours[++coloured]
        }
        draw_series(s, colour, coloured)
        draw_name(s, s - 1, colour, coloured)
    }
    print "</svg>"
}
