// SPDX-License-Identifier: MPL-2.0

package cmd

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

// AskAt returns the function that asks at a terminal. An interrupt ends the question and restores the terminal.
func AskAt(in *os.File, out io.Writer) func(ctx context.Context, question string, secret bool) (string, error) {
	return func(ctx context.Context, question string, secret bool) (string, error) {
		descriptor := int(in.Fd())
		before, err := term.GetState(descriptor)
		if err != nil {
			return "", errors.New("the standard input is not a terminal")
		}
		if _, err := fmt.Fprint(out, question); err != nil {
			return "", err
		}
		entered := make(chan string, 1)
		go func() { entered <- readAnswer(in, secret) }()
		select {
		case <-ctx.Done():
			_ = term.Restore(descriptor, before) // reading a secret turned the echo off
			_, _ = fmt.Fprintln(out)
			return "", ctx.Err()
		case answer := <-entered:
			if secret {
				_, _ = fmt.Fprintln(out) // the line break was not echoed either
			}
			return answer, nil
		}
	}
}

// readAnswer returns a line, or what there is of it at the end of the input.
func readAnswer(in *os.File, secret bool) string {
	if secret {
		text, _ := term.ReadPassword(int(in.Fd()))
		return string(text)
	}
	text, _ := bufio.NewReader(in).ReadString('\n')
	return strings.TrimSpace(text)
}
