package command

import (
	"strings"
	"testing"
)

// TestProgress: a terminal shows one line, and a log has a line for each step.
func TestProgress(t *testing.T) {
	t.Parallel()
	for isTerminal, want := range map[bool]string{
		true:  clearLine + "Reading groups …" + clearLine + "Reading machines …" + clearLine,
		false: "Reading groups\nReading machines\n",
	} {
		var shown strings.Builder
		p := NewProgress(&shown)
		if p.isTerminal {
			t.Error("a builder is no terminal")
		}
		p.isTerminal = isTerminal
		p.Step("Reading groups")
		p.Step("Reading machines")
		p.End()
		if p.OnTerminalAlone(); !isTerminal {
			p.Step("more")
		}
		if got := shown.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
