package transport

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// anywhere is how many bytes a secret has that is found wherever it stands. A shorter
	// one is found as a word: within words it would show what it is.
	anywhere = 8

	// enough is how many bytes of a secret are found: who repeats so much of it does not
	// stop there. As there are only so many lengths to try at each place of a text, a
	// search takes a time that grows with the length of the text alone, whatever the
	// secrets have in common.
	enough = 32

	indexed = 8 // how many bytes of a text are looked up before more are
)

// index finds any of many secrets, which have numbers, in a text.
type index struct {
	starts     [256]bool         // bytes that a secret begins with
	lengths    [indexed + 1]bool // of beginnings
	beginnings map[string]uint64 // bits: lengths of what is looked up that begins so, up to enough
	entries    map[string]entry  // by what is looked up: all of a secret, or enough of it
}

// entry is what is known of a text that is looked up.
type entry struct {
	number int     // of the secret, if it is all of it
	longer []whole // secrets that begin so: the longest first
}

// whole is a secret of at least enough bytes.
type whole struct {
	length      int
	hash, power uint64
	number      int
}

// base is that of the polynomial hash.
const base = 0x9E3779B97F4A7C15

func newIndex() *index {
	return &index{beginnings: map[string]uint64{}, entries: map[string]entry{}}
}

// add adds the secret with a number.
func (x *index) add(text string, number int) {
	if text == "" {
		return
	}
	key := text[:min(len(text), enough)]
	beginning := text[:min(len(text), indexed)]
	x.starts[text[0]], x.lengths[len(beginning)] = true, true
	x.beginnings[beginning] |= 1 << len(key)
	e, known := x.entries[key]
	if !known {
		e.number = number
	}
	if len(key) == enough {
		w := whole{len(text), 0, 1, number}
		for i := range len(text) {
			w.hash, w.power = w.hash*base+uint64(text[i]), w.power*base
		}
		at, _ := slices.BinarySearchFunc(e.longer, w.length, func(other whole, length int) int { return length - other.length })
		e.longer = slices.Insert(e.longer, at, w)
	}
	x.entries[key] = e
}

// search is a text in which the secrets of an index are looked for.
type search struct {
	*index
	text string
	sums []uint64 // hashes of its beginnings; nil until one is needed
}

// matches calls found for the secrets that stand in the text, from left to right, the
// longest where several begin. It returns false as soon as there is only the beginning of one.
func (x *index) matches(text string, found func(at, length, number int)) bool {
	s := search{index: x, text: text}
	for at := 0; at < len(text); {
		key := s.keyAt(at)
		if key == 0 {
			at++
			continue
		}
		e := s.entries[text[at:at+key]]
		length, number := key, e.number
		if key == enough {
			if length, number = s.wholeAt(at, e); length == 0 {
				return false
			}
		}
		found(at, length, number)
		at += length
	}
	return true
}

// keyAt returns the length of the longest text that is looked up and stands at a place, 0 if
// none does.
func (s *search) keyAt(at int) int {
	if !s.starts[s.text[at]] {
		return 0
	}
	rest := s.text[at:]
	for length := min(indexed, len(rest)); length > 0; length-- {
		if !s.lengths[length] {
			continue
		}
		bits := s.beginnings[rest[:length]]
		for key := min(enough, len(rest)); key >= length && bits != 0; key-- {
			if bits&(1<<key) == 0 {
				continue
			}
			if _, ok := s.entries[rest[:key]]; ok && (key >= anywhere || isWord(s.text, at, at+key)) {
				return key
			}
		}
	}
	return 0
}

// wholeAt returns the length and the number of the longest secret that stands at a place, of
// which enough stands there; 0 if none stands there as a whole.
func (s *search) wholeAt(at int, e entry) (length, number int) {
	if s.sums == nil {
		s.sums = make([]uint64, len(s.text)+1)
		for i := range len(s.text) {
			s.sums[i+1] = s.sums[i]*base + uint64(s.text[i])
		}
	}
	for _, w := range e.longer {
		if end := at + w.length; end <= len(s.text) && s.sums[end]-s.sums[at]*w.power == w.hash {
			return w.length, w.number
		}
	}
	return 0, 0
}

// isWord reports whether no letter or digit adjoins a part of a text.
func isWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	after, _ := utf8.DecodeRuneInString(text[to:])
	return !isWordRune(before) && !isWordRune(after)
}

func isWordRune(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
