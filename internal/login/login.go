// Package login implements the command login: it opens a session of the service for a user, with the code of a second
// factor where the account requires one, and writes it to the file that the provider's token_file names.
//
//	login.go       the command
//	session.go     the client that opens the session
//	token_file.go  the file
package login

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
)

// maxCodes is how many codes are asked for before the login fails.
const maxCodes = 3

// Login has the values of the flags.
type Login struct {
	tokenFile string
	otpStdin  bool // the code is the first line of the standard input
	validity  time.Duration
}

// Register adds the flags of a login.
func Register(flags *pflag.FlagSet) *Login {
	l := &Login{}
	known := os.Getenv("CLOUDSERVER_TOKEN_FILE")
	flags.StringVar(&l.tokenFile, "token-file", known, "the `file` to write; default: CLOUDSERVER_TOKEN_FILE")
	flags.BoolVar(&l.otpStdin, "otp-stdin", false, "read the code of a second factor from the standard input, for scripts")
	flags.DurationVar(&l.validity, "session-validity", time.Hour, "how long the session lasts, at most 1h")
	return l
}

// Run logs in. It asks for whatever the environment does not contain.
func (l *Login) Run(ctx context.Context, version string, streams cmd.Streams) error {
	if l.tokenFile == "" {
		return errors.New("set --token-file, or CLOUDSERVER_TOKEN_FILE in the environment, to the file to write")
	}
	path, err := filepath.Abs(l.tokenFile)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	if err := checkReplaceable(path); err != nil { // before a question
		return fmt.Errorf("cannot write the session: %w", err)
	}
	s, err := newIssuer(l.validity, version)
	if err != nil {
		return err
	}
	if err := l.askForUser(ctx, &s.config.Username, &s.config.Password, streams); err != nil {
		return err
	}
	file, err := newTokenFile(path) // before a code is used up
	if err != nil {
		return err
	}
	defer file.discard()
	token, err := l.open(ctx, s, streams)
	if err != nil {
		return err
	}
	if err := file.save(token); err != nil {
		return err
	}
	_, err = fmt.Fprintf(streams.Out, `Wrote a session of %s to %s.
It lasts %s, until %s.
export CLOUDSERVER_TOKEN_FILE=%s
`, s.config.Username, path, l.validity, time.Now().Add(l.validity).Format(time.TimeOnly), shellQuoted(path))
	return err
}

// askForUser asks for the username and the password that the environment does not contain.
func (l *Login) askForUser(ctx context.Context, username, password *string, streams cmd.Streams) (err error) {
	if *username == "" {
		if *username, err = streams.Ask(ctx, "Username: ", false); err != nil {
			return fmt.Errorf("cannot ask for the username: %w. Set CLOUDSERVER_USERNAME", err)
		}
	}
	if *password == "" {
		if *password, err = streams.Ask(ctx, "Password: ", true); err != nil {
			return fmt.Errorf("cannot ask for the password: %w. Set CLOUDSERVER_PASSWORD", err)
		}
	}
	return nil
}

// open opens a session. If the account requires a code, it is read from the standard input or asked for, and asked for
// again if it was wrong.
func (l *Login) open(ctx context.Context, s *issuer, streams cmd.Streams) (token string, err error) {
	code := ""
	if l.otpStdin {
		if code, err = readLine(ctx, streams.In); err != nil {
			return "", fmt.Errorf("--otp-stdin: %w", err)
		}
		return s.open(ctx, code)
	}
	for asked := 0; ; asked++ {
		token, err = s.open(ctx, code)
		if asked == maxCodes || !needsCode(err, code) {
			return token, err
		}
		if code, err = streams.Ask(ctx, "Code of the second factor: ", true); err != nil {
			return "", fmt.Errorf("cannot ask for the code of the second factor: %w. Pipe it into --otp-stdin", err)
		}
	}
}

// readLine returns the first line without surrounding whitespace. It returns an error when ctx ends, even if no input
// arrives.
func readLine(ctx context.Context, from io.Reader) (string, error) {
	entered := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(from).ReadString('\n') // an input that ends without a line break has a line too
		entered <- strings.TrimSpace(text)
	}()
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case text := <-entered:
		if text == "" {
			return "", errors.New("the standard input has no code")
		}
		return text, nil
	}
}

// shellQuoted quotes text as one word of a shell command.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
