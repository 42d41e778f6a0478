// SPDX-License-Identifier: MPL-2.0

package harness

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// seed is a world with other names, offers and networks than the usual one, in which somebody works already.
//
//go:embed seed.json
var seed []byte

// habits are those of an emulated service. API.md leaves them open, so the tests pass with all of them.
type habits struct {
	options emulator.Options
	seed    []byte
	forms   []string          // beginnings of the names of acctest.Forms
	account map[Choice]string // what an operator would set
}

// quick is a service on which only a copy of a disc takes time: a restore has to be seen to begin.
var quick = emulator.Options{CopyTime: 10 * time.Second}

// usual is the account of an emulator without a seed.
var usual = map[Choice]string{
	Account: emulator.DemoAccount, Group: emulator.DefaultGroup, Username: emulator.DemoUser,
	PrivateGroup: emulator.PrivateGroup, PrivateIPv4: "192.0.2.200", ReadyPort: "22",
}

// slow is a service on which everything takes time.
var slow = emulator.Options{
	BootTime: 2 * time.Second, ShutdownTime: time.Second, CopyTime: 10 * time.Second, GuestBoot: time.Second,
	Latency: 20 * time.Millisecond,
}

// allHabits are the emulators that ACC_HABITS names. "" is the default.
var allHabits = map[string]habits{
	"":     {account: usual, options: quick},
	"slow": {account: usual, options: slow},
	"seeded": {seed: seed, options: quick, account: map[Choice]string{
		Account: "acme", Group: "shop", Username: "operator", Zone: "leeds", Distribution: "alma9",
		PrivateGroup: "vault", PrivateIPv4: "10.9.0.77", ReadyPort: "8022",
	}},
	"terse": {account: usual, options: quick, forms: []string{
		"1.1 plain", "1.5 nulls are absent", "1.6 writes answer 204", "1.9", "5.1",
	}},
	"verbose": {account: usual, options: slow, forms: []string{
		"1.5 nulls are present", "1.6 writes answer 200", "3.1", "7.8", "8.1",
	}},
}

// emulated returns an emulator with the habits, and a transport to it.
func (h habits) emulated() (*acctest.Emulator, http.RoundTripper, error) {
	e := &acctest.Emulator{Emulator: emulator.New(h.options), URL: "http://127.0.0.1"} // never dialled
	if h.seed != nil {
		if err := e.Load(h.seed); err != nil {
			return nil, nil, fmt.Errorf("the seed: %w", err)
		}
	}
	transport := e.Transport()
	for _, form := range acctest.Forms() {
		if slices.ContainsFunc(h.forms, func(begins string) bool { return strings.HasPrefix(form.Name, begins) }) {
			transport = form.In(transport)
		}
	}
	return e, transport, nil
}

// use names the emulator in the environment, from which the providers take it.
func (h habits) use(e *acctest.Emulator) error {
	return errors.Join(
		os.Setenv("CLOUDSERVER_ENDPOINT", e.URL),
		os.Setenv("CLOUDSERVER_USERNAME", h.account[Username]),
		os.Setenv("CLOUDSERVER_PASSWORD", emulator.DemoPassword),
		os.Setenv("CLOUDSERVER_ACCOUNT", h.account[Account]),
	)
}

func namesOfHabits() string {
	names := slices.Sorted(maps.Keys(allHabits))
	return strings.Join(names[1:], ", ")
}
