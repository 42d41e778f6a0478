package transport

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// layers is the number of nested encodings that are decoded: JSON within JSON within a URL has three.
const layers = 3

// spellings returns the texts that a text may stand for: itself, and the results of decoding JSON escapes, HTML
// entities and URL escapes, up to three times in any order. In each, whitespace and unprintable characters are
// collapsed into one space.
func spellings(text string) []string {
	all, known := []string{collapse(text)}, map[string]bool{text: true}
	layer := []string{text}
	for range layers {
		var next []string
		for _, text := range layer {
			for _, d := range decoders {
				if !strings.Contains(text, d.mark) {
					continue
				}
				if decoded := d.decode(text); !known[decoded] {
					known[decoded] = true
					next = append(next, decoded)
					all = append(all, collapse(decoded))
				}
			}
		}
		layer = next
	}
	return all
}

// decoder decodes one kind of escape once. Text that only resembles an escape is kept.
type decoder struct {
	mark   string // a text without it has no such escape
	decode func(string) string
}

var decoders = []decoder{
	{`\`, decodeBackslashes},
	{"&", decodeEntities},
	{"%", decodePercents},
}

// isEscaped reports whether a text may stand for another one.
func isEscaped(text string) bool {
	return slices.ContainsFunc(decoders, func(d decoder) bool { return strings.Contains(text, d.mark) })
}

// collapse collapses whitespace, unprintable characters and the plus sign, which is a space in the query of a URL, into
// one space.
func collapse(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r <= ' ' || r == '+' || r > '~' }) < 0 { // most texts contain none
		return text
	}
	return OneLine(strings.ReplaceAll(text, "+", " "))
}

// plainEscapes are the escapes in JSON and in Go's quoted strings that stand for one character. All whitespace is the
// same here.
var plainEscapes = map[byte]string{
	'"': `"`, '\'': "'", '\\': `\`, '/': "/", 'n': " ", 't': " ", 'r': " ", 'b': " ", 'f': " ", 'v': " ", 'a': " ",
}

func decodeBackslashes(text string) string {
	var decoded strings.Builder
	for i := 0; i < len(text); {
		if text[i] != '\\' || i+1 == len(text) {
			decoded.WriteByte(text[i])
			i++
			continue
		}
		if plain, ok := plainEscapes[text[i+1]]; ok {
			decoded.WriteString(plain)
			i += 2
			continue
		}
		r, length := numericEscape(text[i:])
		switch {
		case length == 0:
			decoded.WriteByte(text[i])
			length = 1
		case text[i+1] == 'x':
			decoded.WriteByte(byte(r))
		default:
			decoded.WriteRune(r)
		}
		i += length
	}
	return decoded.String()
}

// numericEscape returns the character of an escape such as \u00e9, \xe9 or \U000000e9, and the length of the escape,
// which is 0 if there is none. With \u, a character may need two of them.
func numericEscape(text string) (r rune, length int) {
	digits := map[byte]int{'u': 4, 'x': 2, 'U': 8}[text[1]]
	if digits == 0 || len(text) < 2+digits {
		return 0, 0
	}
	value, err := strconv.ParseUint(text[2:2+digits], 16, 32)
	if err != nil {
		return 0, 0
	}
	r, length = rune(value), 2+digits //nolint:gosec // WriteRune replaces invalid characters
	if digits == 4 && utf16.IsSurrogate(r) && len(text) >= 12 && text[6:8] == `\u` {
		if low, err := strconv.ParseUint(text[8:12], 16, 32); err == nil {
			if both := utf16.DecodeRune(r, rune(low)); both != utf8.RuneError {
				return both, 12
			}
		}
	}
	return r, length
}

// longestEntity is the maximum length of an entity before its semicolon, such as &CounterClockwiseContourIntegral;.
const longestEntity = 33

// decodeEntities decodes entities that end with a semicolon, as encoders write them.
func decodeEntities(text string) string {
	var decoded strings.Builder
	for {
		start := strings.IndexByte(text, '&')
		if start < 0 {
			break
		}
		decoded.WriteString(text[:start])
		text = text[start:]
		length := 1
		for length < min(len(text), longestEntity) && isEntityByte(text[length]) {
			length++
		}
		if length < len(text) && text[length] == ';' {
			length++
		} else {
			length = 1
		}
		decoded.WriteString(html.UnescapeString(text[:length]))
		text = text[length:]
	}
	decoded.WriteString(text)
	return decoded.String()
}

func isEntityByte(b byte) bool {
	return b == '#' || '0' <= b && b <= '9' || 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
}

func decodePercents(text string) string {
	var decoded strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if value, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				decoded.WriteByte(byte(value))
				i += 2
				continue
			}
		}
		decoded.WriteByte(text[i])
	}
	return decoded.String()
}
