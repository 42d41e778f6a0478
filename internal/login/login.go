// SPDX-License-Identifier: MPL-2.0

// Package login implements the command login: it opens a session of the service for a user, with the code of a second
// factor where the account requires one, and writes it to the file that the provider's token_file names.
//
//	login.go       the command
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

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
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
	if err := cmd.CheckHome("the token file", l.tokenFile); err != nil {
		return err
	}
	path, err := filepath.Abs(l.tokenFile)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	if err := checkReplaceable(path); err != nil { // before a question
		return fmt.Errorf("cannot write the session: %w", err)
	}
	config, err := l.config(version)
	if err != nil {
		return err
	}
	if err := l.askForUser(ctx, &config, streams); err != nil {
		return err
	}
	client, err := cloudserver.New(config)
	if err != nil {
		return err
	}
	file, err := newTokenFile(path) // before a code is used up
	if err != nil {
		return err
	}
	defer file.discard()
	token, err := l.open(ctx, client, streams)
	if err != nil {
		return err
	}
	if err := file.save(token); err != nil {
		return err
	}
	_, err = fmt.Fprintf(streams.Out, `Wrote a session of %s to %s.
It lasts %s, until %s.
export CLOUDSERVER_TOKEN_FILE=%s
`, config.Username, path, l.validity, time.Now().Add(l.validity).Format(time.TimeOnly), shellQuoted(path))
	return err
}

// config returns what the provider's environment variables say. Username and password may be missing.
func (l *Login) config(version string) (cloudserver.Config, error) {
	config := cloudserver.Config{
		Endpoint: os.Getenv("CLOUDSERVER_AUTH_ENDPOINT"), // the only address that a login needs
		Username: os.Getenv("CLOUDSERVER_USERNAME"), Password: os.Getenv("CLOUDSERVER_PASSWORD"),
		SessionValidity: l.validity, UserAgent: cmd.Program + "/" + version,
	}
	if config.Endpoint == "" {
		config.Endpoint = os.Getenv("CLOUDSERVER_ENDPOINT")
	}
	if config.Endpoint == "" {
		return config, errors.New("set CLOUDSERVER_ENDPOINT, or CLOUDSERVER_AUTH_ENDPOINT, to the base URL that issues sessions")
	}
	if l.validity < cloudserver.MinimumSessionValidity || l.validity > cloudserver.MaxSessionValidity {
		return config, fmt.Errorf("--session-validity must be between one minute and one hour, not %s", l.validity)
	}
	var err error
	if config.CACertificate, err = cloudserver.ReadPEM(os.Getenv("CLOUDSERVER_CA_CERTIFICATE")); err != nil {
		return config, fmt.Errorf("CLOUDSERVER_CA_CERTIFICATE: %w", err)
	}
	return config, nil
}

// askForUser asks for the username and the password that the environment does not contain.
func (l *Login) askForUser(ctx context.Context, config *cloudserver.Config, streams cmd.Streams) (err error) {
	if config.Username == "" {
		if config.Username, err = streams.Ask(ctx, "Username: ", false); err != nil {
			return fmt.Errorf("cannot ask for the username: %w. Set CLOUDSERVER_USERNAME", err)
		}
	}
	if config.Password == "" {
		if config.Password, err = streams.Ask(ctx, "Password: ", true); err != nil {
			return fmt.Errorf("cannot ask for the password: %w. Set CLOUDSERVER_PASSWORD", err)
		}
	}
	return nil
}

// open opens a session. If the account requires a code, it is read from the standard input or asked for, and asked for
// again if it was wrong.
func (l *Login) open(ctx context.Context, client *cloudserver.Client, streams cmd.Streams) (token string, err error) {
	if l.otpStdin {
		code, err := readLine(ctx, streams.In)
		if err != nil {
			return "", fmt.Errorf("--otp-stdin: %w", err)
		}
		return client.OpenSession(ctx, code)
	}
	token, err = client.OpenSession(ctx, "")
	if !cloudserver.IsCodeMissing(err) {
		return token, err
	}
	for range maxCodes {
		code, askErr := streams.Ask(ctx, "Code of the second factor: ", true)
		if askErr != nil {
			return "", fmt.Errorf("cannot ask for the code of the second factor: %w. Pipe it into --otp-stdin", askErr)
		}
		if token, err = client.OpenSession(ctx, code); !cloudserver.IsUnauthorized(err) {
			break
		}
	}
	return token, err
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
