// SPDX-License-Identifier: MPL-2.0

package harness

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/ready"
)

// Service is the service under test.
type Service struct {
	title    string
	named    bool // by CLOUDSERVER_*; otherwise it is an emulator, which has everything
	gate     *gate
	dial     ready.Dial
	client   *cloudserver.Client // past the gate
	chosen   map[Choice]string
	prefix   string // of all names of this run
	password string // of root
	secrets  []string
	report   report
}

// named reports whether the environment names a service.
func named() bool { return os.Getenv("CLOUDSERVER_ENDPOINT") != "" }

// open returns the service that the environment names, or an emulator. It only reads.
func open(ctx context.Context) (*Service, error) {
	s := &Service{
		named: named(), prefix: Prefix + random(5) + "-", password: "Acc-" + random(20),
		gate: &gate{}, dial: new(net.Dialer).DialContext,
	}
	set := func(choice Choice) string { return os.Getenv(variables[choice]) }
	if !s.named {
		own, ok := allHabits[os.Getenv("ACC_HABITS")]
		if !ok {
			return nil, fmt.Errorf("ACC_HABITS=%s: the habits are %s", os.Getenv("ACC_HABITS"), namesOfHabits())
		}
		emulated, transport, err := own.emulated()
		if err == nil {
			err = own.use(emulated)
		}
		if err != nil {
			return nil, err
		}
		s.title = strings.TrimSpace("an emulator " + os.Getenv("ACC_HABITS"))
		s.gate.service, s.dial = transport, emulated.DialGuest
		set = func(choice Choice) string { return own.account[choice] }
	}
	return s, s.connect(ctx, set)
}

// connect makes the client, and chooses what of the service the tests use.
func (s *Service) connect(ctx context.Context, set func(Choice) string) error {
	config, account, group, err := provider.Environment("test", provider.Emulator{})
	if err != nil {
		return err
	}
	if account == "" {
		return errors.New("the tests need an account: set CLOUDSERVER_ACCOUNT")
	}
	if s.named {
		s.title = config.Endpoint
		if s.gate.service, err = transport(config); err != nil {
			return err
		}
	}
	config.Transport = s.gate.service
	if s.client, err = cloudserver.New(config); err != nil {
		return err
	}
	offered, err := s.client.Definitions(ctx)
	if err != nil {
		return err
	}
	s.chosen = choose(set, offered)
	s.chosen[Account] = account
	if s.chosen[Group] == "" {
		s.chosen[Group] = group
	}
	groups, err := s.client.Groups(ctx, account)
	if err != nil {
		return err
	}
	for _, choice := range []Choice{Group, PrivateGroup} {
		name := s.chosen[choice]
		if name != "" && !slices.ContainsFunc(groups, func(g cloudserver.Group) bool { return g.Name == name }) {
			return fmt.Errorf("%s: the account %s has no group %q", variables[choice], account, name)
		}
	}
	s.secrets = secrets(config, s.password)
	return os.Setenv("CLOUDSERVER_GROUP", s.chosen[Group])
}

// transport returns one that trusts what the configuration trusts.
func transport(config cloudserver.Config) (http.RoundTripper, error) {
	roots, err := cloudserver.ParseCertificates(config.CACertificate)
	if err != nil {
		return nil, err
	}
	own := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 16,
		TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
	}
	return own, nil
}

// secrets are the texts that no output has.
func secrets(config cloudserver.Config, password string) []string {
	token := config.Token
	if content, err := os.ReadFile(config.TokenFile); err == nil {
		token = strings.TrimSpace(string(content))
	}
	own := []string{token, config.Password, password}
	const shortest = 6 // a shorter one, such as that of the emulator, is part of other words
	return slices.DeleteFunc(own, func(secret string) bool { return len(secret) < shortest })
}

// redact returns a text without secrets.
func (s *Service) redact(text string) string {
	for _, secret := range s.secrets {
		text = strings.ReplaceAll(text, secret, "(secret)")
	}
	return text
}

// say prints a line for the person who runs the tests.
func (s *Service) say(format string, arguments ...any) {
	_, _ = fmt.Fprintln(os.Stderr, "testacc:", s.redact(fmt.Sprintf(format, arguments...)))
}

// server returns a new process of the provider, as it were.
func (s *Service) server(options ...provider.Option) (provider.Server, error) {
	options = append(options, provider.WithTransport(s.gate), provider.WithDial(s.dial))
	return provider.NewServer(provider.New("test", options...)())
}

func (s *Service) factory() (tfprotov6.ProviderServer, error) { return s.server() }

// locals returns the block that each configuration of a test has.
func (s *Service) locals(prefix string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\nlocals {\n  prefix = %q\n  root_password = %q\n", prefix, s.password)
	for choice, value := range s.chosen {
		if value == "" {
			fmt.Fprintf(&text, "  %s = null\n", choice)
		} else {
			fmt.Fprintf(&text, "  %s = %q\n", choice, value)
		}
	}
	text.WriteString("}\n")
	return text.String()
}

// random returns lower-case letters and digits.
func random(length int) string { return strings.ToLower(rand.Text()[:length]) }
