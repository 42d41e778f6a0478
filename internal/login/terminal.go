package login

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

// terminal asks questions on a terminal and reads the answers.
type terminal struct {
	in  *os.File
	out io.Writer
}

// answer is what the user entered.
type answer struct {
	text string
	err  error
}

// ask implements asker. An interrupt ends it and restores the terminal's state.
func (t *terminal) ask(ctx context.Context, question string, secret bool) (string, error) {
	descriptor := int(t.in.Fd()) //nolint:gosec // descriptors are small
	before, err := term.GetState(descriptor)
	if err != nil {
		return "", fmt.Errorf("cannot ask for the %s: the standard input is not a terminal", strings.ToLower(question))
	}
	if _, err := fmt.Fprintf(t.out, "%s: ", question); err != nil {
		return "", err
	}
	entered := make(chan answer, 1)
	go func() {
		text, err := t.read(descriptor, secret)
		entered <- answer{text, err}
	}()
	select {
	case <-ctx.Done():
		_ = term.Restore(descriptor, before) // reading a secret turned the echo off
		_, _ = fmt.Fprintln(t.out)
		return "", errors.New("interrupted")
	case entered := <-entered:
		if secret {
			_, _ = fmt.Fprintln(t.out) // the user's own line break was not echoed
		}
		if text := strings.TrimRight(entered.text, "\r\n"); entered.err == nil && text != "" {
			return text, nil
		}
		return "", fmt.Errorf("no %s was entered", strings.ToLower(question))
	}
}

func (t *terminal) read(descriptor int, secret bool) (string, error) {
	if !secret {
		return bufio.NewReader(t.in).ReadString('\n')
	}
	text, err := term.ReadPassword(descriptor)
	return string(text), err
}
