package adopt

import (
	"bytes"
	"strings"
	"testing"
)

// TestProgress: a terminal shows one line without control sequences; anything else gets nothing.
func TestProgress(t *testing.T) {
	t.Parallel()
	var shown bytes.Buffer
	p := &progress{&shown}
	p.step("groups of account a\x1b[2J\nb")
	p.step("machines")
	p.end()
	if got, want := shown.String(), clearLine+"Reading groups of account a [2J b …"+clearLine+"Reading machines …"+clearLine; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var file strings.Builder
	if newProgress(&file).step("groups"); file.Len() > 0 {
		t.Errorf("a file gets %q", file.String())
	}
}
