package transport

import "slices"

const (
	// enough is the number of bytes of a secret after which the rest is assumed to follow. It limits the lengths to try
	// at each position of a text, so the time of a search grows linearly with the length of the text, whatever prefixes
	// the secrets share.
	enough = 32

	indexed = 8 // number of bytes that are looked up first
)

// index finds any of many numbered secrets in a text.
type index struct {
	starts     [256]bool         // first bytes of secrets
	lengths    [indexed + 1]bool // lengths of prefixes
	beginnings map[string]uint64 // bit sets of the lengths, up to enough, of looked-up texts with this prefix
	entries    map[string]entry  // by the text that is looked up: a whole secret, or the first enough bytes of it
}

// entry is what is known of a looked-up text.
type entry struct {
	number int     // of the secret, if the text is all of it
	longer []whole // secrets that begin with the text, longest first
}

// whole is a secret of at least enough bytes.
type whole struct {
	length      int
	hash, power uint64
	number      int
}

// base is the base of the polynomial hash.
const base = 0x9E3779B97F4A7C15

func newIndex() *index {
	return &index{beginnings: map[string]uint64{}, entries: map[string]entry{}}
}

// add adds a secret and its number.
func (x *index) add(text string, number int) {
	if text == "" {
		return
	}
	key := text[:min(len(text), enough)]
	beginning := text[:min(len(text), indexed)]
	x.starts[text[0]], x.lengths[len(beginning)] = true, true
	x.beginnings[beginning] |= 1 << len(key)
	e, ok := x.entries[key]
	if !ok {
		e.number = number
	}
	if len(key) == enough {
		w := whole{len(text), 0, 1, number}
		for i := range len(text) {
			w.hash, w.power = w.hash*base+uint64(text[i]), w.power*base
		}
		at, _ := slices.BinarySearchFunc(
			e.longer, w.length, func(other whole, length int) int { return length - other.length },
		)
		e.longer = slices.Insert(e.longer, at, w)
	}
	x.entries[key] = e
}

// search is a text that is searched for the secrets of an index.
type search struct {
	*index
	text string
	sums []uint64 // hashes of the text's prefixes; nil until they are needed
}

// matches calls found for each secret in the text, from left to right, with the longest one if several start at the
// same position. It returns false as soon as it finds only the beginning of a secret.
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

// keyAt returns the length of the longest looked-up text at a position, or 0.
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
			if _, ok := s.entries[rest[:key]]; ok {
				return key
			}
		}
	}
	return 0
}

// wholeAt returns the length and number of the longest secret at a position where the first enough bytes match. It
// returns 0 if no secret is there completely.
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
