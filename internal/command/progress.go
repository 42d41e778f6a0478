package command

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"
)

// Progress shows what a long command is doing: on a terminal in one line, which the next step replaces, and elsewhere,
// as in a log, in a line for each step.
type Progress struct {
	out        io.Writer
	isTerminal bool
}

// OnTerminalAlone suppresses the lines of a log.
func (p *Progress) OnTerminalAlone() {
	if !p.isTerminal {
		p.out = io.Discard
	}
}

// NewProgress returns a progress that is shown on out.
func NewProgress(out io.Writer) *Progress {
	file, ok := out.(*os.File)
	return &Progress{out, ok && term.IsTerminal(int(file.Fd()))} //nolint:gosec // descriptors are small
}

const clearLine = "\r\x1b[K"

// Step shows what is done now. The text must be safe to show, and on one line.
func (p *Progress) Step(text string) {
	if p.isTerminal {
		_, _ = fmt.Fprint(p.out, clearLine+text+" …") // an error is ignored: it is progress alone
		return
	}
	_, _ = fmt.Fprintln(p.out, text)
}

// End clears the line of a terminal.
func (p *Progress) End() {
	if p.isTerminal {
		_, _ = fmt.Fprint(p.out, clearLine)
	}
}
