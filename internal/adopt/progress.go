package adopt

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// progress shows on a terminal what is being read. It writes nothing to a file or a pipe.
type progress struct{ out io.Writer }

func newProgress(out io.Writer) *progress {
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return &progress{out}
	}
	return &progress{io.Discard}
}

const clearLine = "\r\x1b[K"

// step replaces the line on the terminal.
func (p *progress) step(what string) { p.show("Reading " + cloudserver.Shown(what) + " …") }

// end clears the line.
func (p *progress) end() { p.show("") }

func (p *progress) show(text string) {
	_, _ = fmt.Fprint(p.out, clearLine+text) // an error is ignored: it is progress alone
}
