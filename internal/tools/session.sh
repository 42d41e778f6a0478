#!/bin/sh
# Draws a recorded session as a terminal: session.sh <TRANSCRIPT >SVG. The same transcript gives the same picture.
# Lines that begin with "$ " are what was typed, lines that begin with "# " are remarks, the others what was printed.
set -eu

LC_ALL=C awk '
BEGIN { step = 18; top = 44; left = 20; width = 800 }
{
	line = $0
	gsub(/&/, "\\&amp;", line); gsub(/</, "\\&lt;", line); gsub(/>/, "\\&gt;", line)
	gsub(/  /, "\\&#160;\\&#160;", line) # browsers merge plain ones
	if (line ~ /^\$ /) shown = "<tspan class=\"prompt\">$</tspan><tspan class=\"typed\">" substr(line, 2) "</tspan>"
	else if (line ~ /^# /) shown = "<tspan class=\"remark\">" line "</tspan>"
	else if (line ~ /^(Apply|Destroy) complete!/) shown = "<tspan class=\"good\">" line "</tspan>"
	else shown = line
	if (line != "") text = text sprintf("  <text x=\"%d\" y=\"%d\">%s</text>\n", left, top + NR * step, shown)
}
END {
	height = top + NR * step + 20
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-labelledby=\"title\"", width, height, width, height
	print " font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#d7dde5\">"
	print "  <title id=\"title\">A session with the provider and the emulator</title>"
	print "  <style>.prompt { fill: #7fd88f } .typed { fill: #ffffff; font-weight: 600 } .remark { fill: #8fa1b5 } .good { fill: #7fd88f }</style>"
	printf "  <rect width=\"%d\" height=\"%d\" rx=\"8\" fill=\"#1b222c\"/>\n", width, height
	print "  <circle cx=\"22\" cy=\"20\" r=\"6\" fill=\"#e0655e\"/><circle cx=\"42\" cy=\"20\" r=\"6\" fill=\"#e2b14b\"/><circle cx=\"62\" cy=\"20\" r=\"6\" fill=\"#67b867\"/>"
	printf "%s</svg>\n", text
}'
