package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"
)

// AskAt returns the function that asks a person at a terminal, or nil if in is not one.
func AskAt(in *os.File, out io.Writer) func(ctx context.Context, question string) (string, error) {
	if in == nil || !term.IsTerminal(int(in.Fd())) { //nolint:gosec // descriptors are small
		return nil
	}
	return func(ctx context.Context, question string) (string, error) {
		if _, err := fmt.Fprint(out, question); err != nil {
			return "", err
		}
		entered := make(chan string, 1)
		go func() {
			text, _ := bufio.NewReader(in).ReadString('\n') // the end of the input is no answer
			entered <- strings.TrimSpace(text)
		}()
		select {
		case <-ctx.Done():
			_, _ = fmt.Fprintln(out)
			return "", errors.New("interrupted")
		case text := <-entered:
			return text, nil
		}
	}
}
