// Package login implements the command login: it opens a session of the service for
// a user, with the code of a second factor where the account requires one, and
// writes it to the file that the provider's token_file names.
package login

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
)

// maxCodes is how many codes are asked for before the login fails.
const maxCodes = 3

// Login holds the values of the flags.
type Login struct {
	tokenFile string
	otpStdin  bool // the code is the first line of the standard input
	validity  time.Duration

	// UnknownVariables is a sentence, after a space, about variables of the environment that look like the provider's
	// and are not. It ends messages about something that is missing.
	UnknownVariables string
}

// Register adds the flags of a login.
func Register(flags *pflag.FlagSet) *Login {
	l := &Login{}
	flags.StringVar(&l.tokenFile, "token-file", os.Getenv("CLOUDSERVER_TOKEN_FILE"), "the `file` to write; default: CLOUDSERVER_TOKEN_FILE")
	flags.BoolVar(&l.otpStdin, "otp-stdin", false, "read the code of a second factor from the standard input, for scripts")
	flags.DurationVar(&l.validity, "session-validity", cloudserver.MaxSessionValidity, "how long the session lasts, at most 1h")
	return l
}

// asker asks the user.
type asker interface {
	// ask returns the answer to a question. A secret answer is not echoed.
	ask(ctx context.Context, question string, secret bool) (string, error)
}

// Run logs in. It asks for whatever the environment does not contain.
func (l *Login) Run(ctx context.Context, version string, streams command.Streams) error {
	return l.run(ctx, version, streams.In, &terminal{in: streams.In, out: streams.Err}, streams.Out)
}

func (l *Login) run(ctx context.Context, version string, stdin io.Reader, person asker, stdout io.Writer) error {
	if l.tokenFile == "" {
		return errors.New("set --token-file, or CLOUDSERVER_TOKEN_FILE in the environment, to the file to write the session to")
	}
	if l.validity < cloudserver.MinimumSessionValidity || l.validity > cloudserver.MaxSessionValidity {
		return fmt.Errorf("--session-validity must be between one minute and one hour, not %s", l.validity)
	}
	path, err := filepath.Abs(l.tokenFile)
	if err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	if err := checkReplaceable(path); err != nil { // before a question
		return fmt.Errorf("cannot write the session: %w", err)
	}
	config, err := l.config(ctx, version, person)
	if err != nil {
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
	began := time.Now()
	token, err := l.open(ctx, client, stdin, person)
	if err != nil {
		return err
	}
	if err := file.save(token); err != nil {
		return err
	}
	_, err = fmt.Fprint(stdout, l.written(config.Username, path, began))
	return err
}

// written describes the session, and what to do in the shell that Terraform runs in.
func (l *Login) written(username, path string, began time.Time) string {
	text := fmt.Sprintf("Wrote a session of %s to %s.\nIt lasts %s, until %s.\n", username, path, l.validity, began.Add(l.validity).Format(time.TimeOnly))
	others := slices.DeleteFunc([]string{"CLOUDSERVER_TOKEN", "CLOUDSERVER_USERNAME", "CLOUDSERVER_PASSWORD"},
		func(name string) bool { return os.Getenv(name) == "" })
	if len(others) > 0 {
		text += fmt.Sprintf("unset %s # the provider accepts one kind of credentials\n", strings.Join(others, " "))
	}
	return text + fmt.Sprintf("export CLOUDSERVER_TOKEN_FILE=%s\n", shellQuoted(path))
}

// shellQuoted quotes text as one word of a shell command, if that is needed.
func shellQuoted(text string) string {
	if regexp.MustCompile(`^[\w/.:@%+,-]+$`).MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// config returns the client's configuration, made of the provider's environment variables and the user's answers.
func (l *Login) config(ctx context.Context, version string, person asker) (cloudserver.Config, error) {
	config := cloudserver.Config{
		Endpoint: os.Getenv("CLOUDSERVER_ENDPOINT"), AuthEndpoint: os.Getenv("CLOUDSERVER_AUTH_ENDPOINT"),
		Username: os.Getenv("CLOUDSERVER_USERNAME"), Password: os.Getenv("CLOUDSERVER_PASSWORD"),
		SessionValidity: l.validity, UserAgent: "terraform-provider-cloudserver/" + version, UnknownVariables: l.UnknownVariables,
	}
	if config.Endpoint == "" {
		config.Endpoint = config.AuthEndpoint
	}
	if config.Endpoint == "" {
		return config, l.missing("set CLOUDSERVER_ENDPOINT, or CLOUDSERVER_AUTH_ENDPOINT, to the base URL of the service that issues sessions")
	}
	if strings.HasPrefix(config.Endpoint, "emulator:") && config.AuthEndpoint == "" {
		return config, errors.New("CLOUDSERVER_ENDPOINT names an emulator in the provider's own process, which needs no session")
	}
	var err error
	if config.CACertificate, err = cloudserver.ReadPEM(os.Getenv("CLOUDSERVER_CA_CERTIFICATE")); err != nil {
		return config, fmt.Errorf("CLOUDSERVER_CA_CERTIFICATE: %w", err)
	}
	if _, err = cloudserver.New(config); config.Username == "" && config.Password == "" && err != nil { // fail before the first question
		return config, err
	}
	for _, question := range []struct {
		answer *string
		text   string
		secret bool
	}{{&config.Username, "Username", false}, {&config.Password, "Password", true}} {
		if *question.answer == "" {
			*question.answer, err = person.ask(ctx, question.text, question.secret)
			if err := orElse(ctx, err, "set CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD"); err != nil {
				return config, err
			}
		}
	}
	return config, nil
}

// missing returns an error about a variable that is missing: its name may be mistyped.
func (l *Login) missing(advice string) error {
	if l.UnknownVariables != "" {
		advice += "." + l.UnknownVariables
	}
	return errors.New(advice)
}

// open opens a session. If the account requires a code, it is read from the standard input or asked for, and asked for
// again if it was wrong.
func (l *Login) open(ctx context.Context, client *cloudserver.Client, stdin io.Reader, person asker) (string, error) {
	if l.otpStdin {
		code, err := readLine(ctx, stdin)
		if err != nil {
			return "", fmt.Errorf("--otp-stdin: %w", err)
		}
		return client.OpenSession(ctx, code)
	}
	token, err := client.OpenSession(ctx, "")
	if !cloudserver.IsCodeMissing(err) {
		return token, err
	}
	for range maxCodes {
		var code string
		code, err = person.ask(ctx, "Code of the second factor", true)
		if err := orElse(ctx, err, "pipe the code into --otp-stdin"); err != nil {
			return "", err
		}
		if token, err = client.OpenSession(ctx, code); err == nil || !cloudserver.IsUnauthorized(err) {
			return token, err
		}
	}
	return "", err
}

// readLine returns the first line of from, without surrounding whitespace. It returns an error when ctx ends, even if
// no input arrives.
func readLine(ctx context.Context, from io.Reader) (string, error) {
	entered := make(chan answer, 1)
	go func() {
		text, err := bufio.NewReader(from).ReadString('\n')
		entered <- answer{strings.TrimSpace(text), err}
	}()
	select {
	case <-ctx.Done():
		return "", errors.New("interrupted")
	case line := <-entered:
		if line.text == "" {
			return "", errors.New("the standard input has no code")
		}
		return line.text, nil
	}
}

// orElse adds an alternative to the error of a question that could not be asked. An interrupt is returned as it is.
func orElse(ctx context.Context, err error, instead string) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return fmt.Errorf("%w; or %s", err, instead)
}
