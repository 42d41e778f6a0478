// SPDX-License-Identifier: MPL-2.0

package cloudserver

import (
	"encoding/base64"
	"encoding/hex"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// carried are the secrets in the body of a request. A refusal of it may quote them in a spelling that nobody foresees, so
// a text is shown only if it is certain that it quotes none.
type carried []string

// carrier is the body of a request with secrets.
type carrier interface{ Secrets() []string }

// carriedBy returns the secrets in the body of a request.
func carriedBy(body any) carried {
	with, ok := body.(carrier)
	if !ok {
		return nil
	}
	return slices.DeleteFunc(with.Secrets(), func(text string) bool { return text == "" })
}

// The fields of a request that are secrets.
var secretReimage = []string{"root_password", "firstboot_script"}

// knownFields are the other fields of requests that carry secrets. Of a field that is none of these, nobody knows what
// its text repeats.
var knownFields = []string{
	"account", "autoreboot_on", "cdrom_url", "cores", "discs", "distribution", "group", "hardware_profile",
	"hardware_profile_locked", "ips", "ipv4", "ipv6", "keymap", "label", "memory", "name", "power_on", "size",
	"ssh_public_key", "storage_grade", "zone_name",
}

// What is shown in place of a problem.
const (
	mayQuoteIt     = "refused (the text may quote it, and is not shown)"
	mayQuoteSecret = "refused (the text may quote a secret, and is not shown)"
	withheld       = "the text may quote a secret, and is not shown" // in place of all of them
)

// takenText is a refusal in plain text that is known, and that decides what happens next.
const takenText = "name has already been taken"

// tooShort is a refusal that quotes nothing, even if the secret is too short to be recognised in another text.
var tooShort = regexp.MustCompile(`^is too short \(minimum is \d+ characters?\)$`)

// show returns the problems that may be shown. Of a text without a field that may quote a secret, nothing is left.
func (c carried) show(problems []Problem) (shown []Problem) {
	if len(c) == 0 {
		return problems
	}
	for _, problem := range problems {
		switch {
		case problem.Attribute != "":
			shown = append(shown, c.showOne(problem))
		case strings.Contains(strings.ToLower(problem.Message), takenText):
			shown = append(shown, Problem{Index: -1, Message: takenText})
		case !c.mayBeQuotedIn(problem.Message):
			shown = append(shown, problem)
		}
	}
	return slices.Compact(shown)
}

// showOne returns a problem without what may quote a secret.
func (c carried) showOne(p Problem) Problem {
	switch {
	case slices.Contains(secretReimage, p.Attribute) || slices.Contains(secretReimage, p.Field):
		if c.mayBeQuotedIn(p.Message) && !tooShort.MatchString(p.Message) {
			p.Message = mayQuoteIt
		}
		if slices.Contains(secretReimage, p.Field) && p.Attribute != "reimage" {
			p.Attribute = "reimage"
		}
		if slices.Contains(secretReimage, p.Attribute) {
			p.Field = ""
		}
	case !p.isKnown() && c.mayBeQuotedIn(p.String()):
		return Problem{Attribute: "request", Index: -1, Message: mayQuoteSecret}
	case namesSecret(p.Message) && c.mayBeQuotedIn(p.Message):
		p.Message = mayQuoteSecret
	}
	return p
}

// isKnown reports whether the problem is about known fields that are no secrets.
func (p Problem) isKnown() bool {
	if p.Field == "" {
		return slices.Contains(knownFields, p.Attribute)
	}
	return (p.Attribute == "reimage" || slices.Contains(knownFields, p.Attribute)) && slices.Contains(knownFields, p.Field)
}

func namesSecret(text string) bool {
	return slices.ContainsFunc(secretReimage, func(name string) bool { return strings.Contains(text, name) })
}

const (
	longestShared = 3 // letters or digits in a row that a text and a secret may share by chance
	longestCoded  = 5 // the same, if the secret is encoded
)

var (
	// prose is a text without quotation marks and escapes of any language. An apostrophe is inside a word.
	prose      = regexp.MustCompile(`^[\pL\pN .,:;()/_-]*$`)
	apostrophe = regexp.MustCompile(`(\pL)['’](\pL)`)
)

// mayBeQuotedIn reports whether a text may quote one of the secrets: it is not plain prose, or it shares a run of letters
// and digits with one. It may quote any secret that is too short to be recognised.
func (c carried) mayBeQuotedIn(text string) bool {
	if strings.Contains(text, hiddenText) || !prose.MatchString(apostrophe.ReplaceAllString(text, "$1 $2")) {
		return true
	}
	return slices.ContainsFunc(c, func(secret string) bool {
		isShort := true
		for range runs(secret, longestShared+1) {
			isShort = false
			break
		}
		return isShort || shareRun(strings.ToLower(secret), strings.ToLower(text), longestShared+1) ||
			slices.ContainsFunc(encodings(secret), func(encoded string) bool { return shareRun(encoded, text, longestCoded+1) })
	})
}

// encodings returns a secret in Base64, as it is at each of the three positions in a longer text, and in hexadecimal.
func encodings(secret string) []string {
	all := []string{hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret)))}
	for before := range 3 {
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", before) + secret))
		all = append(all, encoded[min(2*before, len(encoded)):])
	}
	return all
}

// shareRun reports whether two texts have a run of so many letters and digits in common.
func shareRun(a, b string, length int) bool {
	ofB := map[string]bool{}
	for run := range runs(b, length) {
		ofB[run] = true
	}
	for run := range runs(a, length) {
		if ofB[run] {
			return true
		}
	}
	return false
}

// runs returns each part of a text that is so many letters and digits in a row.
func runs(text string, length int) iter.Seq[string] {
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return func(yield func(string) bool) {
		for word := range strings.FieldsFuncSeq(text, isOther) {
			letters := []rune(word)
			for i := 0; i+length <= len(letters); i++ {
				if !yield(string(letters[i : i+length])) {
					return
				}
			}
		}
	}
}
