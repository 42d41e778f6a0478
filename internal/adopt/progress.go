package adopt

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// progress shows a person at a terminal what is read at the moment. Into a file or a
// pipe it writes nothing.
type progress struct{ out io.Writer }

func newProgress(out io.Writer) *progress {
	if file, ok := out.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		return &progress{out}
	}
	return &progress{io.Discard}
}

const clearLine = "\r\x1b[K"

// step replaces the line that is shown.
func (p *progress) step(what string) { p.show("Reading " + cloudserver.Shown(what) + " …") }

// end clears the line.
func (p *progress) end() { p.show("") }

func (p *progress) show(text string) {
	_, _ = fmt.Fprint(p.out, clearLine+text) // a terminal that is gone shows nothing
}
