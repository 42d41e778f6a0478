// SPDX-License-Identifier: MPL-2.0

package machine_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/inventory"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/machine"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/progress"
)

// world is a service with one machine, in simulated time.
type world struct {
	*testing.T
	*emulator.Emulator
	*machine.Machine
	id int64
}

// with runs a test on a machine that boots in 30 seconds and shuts down in ten.
func with(t *testing.T, power emulator.Machine, test func(w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := emulator.New(emulator.Options{BootTime: 30 * time.Second, ShutdownTime: 10 * time.Second})
		power.Name, power.Discs = "web1", []emulator.Disc{{Label: "vda", Size: 25600}}
		id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, power)
		client, err := cloudserver.New(cloudserver.Config{
			Endpoint: "http://127.0.0.1", Token: emulator.DemoAPIKey, Transport: e.Transport(), MaxRetries: new(0),
		})
		if err != nil {
			t.Fatal(err)
		}
		is, _ := e.Machine(id)
		service := machine.Service{Client: client, Inventory: inventory.New(client)}
		location := inventory.Location{Account: emulator.DemoAccount, GroupID: is.GroupID, ID: id}
		test(&world{t, e, machine.New(service, "web1", location, machine.Power{On: power.PowerOn, Autoreboot: power.AutorebootOn}, machine.Shutdown{}), id})
	})
}

// now returns the machine at the service.
func (w *world) now() emulator.Machine {
	is, _ := w.Emulator.Machine(w.id)
	return is
}

// failNext makes the next request with a method and the end of its path fail.
func (w *world) failNext(method, end string, fault emulator.Fault) {
	fault.Times = 1
	fault.Match = func(r emulator.Request) bool { return r.Method == method && strings.HasSuffix(r.Path, end) }
	w.Inject(fault)
}

// sent returns the methods of the requests that may have changed something.
func (w *world) sent() string {
	var methods []string
	for _, r := range w.Journal() {
		if r.Method != http.MethodGet {
			methods = append(methods, r.Method)
		}
	}
	return strings.Join(methods, " ")
}

func lost() emulator.Fault { return emulator.Fault{AfterEffect: true, Status: http.StatusBadGateway} }

// TestStop: a machine that the service is about to start is stopped as well, and a stop leaves half of the time for what
// follows it.
func TestStop(t *testing.T) {
	t.Parallel()
	with(t, emulator.Machine{AutorebootOn: true}, func(w *world) {
		if err := w.Stop(w.Context()); err != nil || w.now().PowerOn || w.now().AutorebootOn {
			w.Errorf("%v: %+v", err, w.now())
		}
	})
	with(t, emulator.Machine{PowerOn: true, IgnoresPowerdown: true}, func(w *world) {
		ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		if err := w.Stop(ctx); err != nil || w.now().PowerOn || time.Since(began) > 31*time.Second {
			w.Errorf("%v after %s: %+v", err, time.Since(began), w.now())
		}
	})
}

// TestRestorePower: after a failure the machine has the power that it had before, whatever was under way.
func TestRestorePower(t *testing.T) {
	t.Parallel()
	on := emulator.Machine{PowerOn: true, AutorebootOn: true}
	deaf := emulator.Machine{PowerOn: true, AutorebootOn: true, IgnoresPowerdown: true}
	image := cloudserver.Reimage{Distribution: "noble"}
	for name, test := range map[string]struct {
		power emulator.Machine
		do    func(ctx context.Context, w *world) // fails, or is interrupted after five seconds
	}{
		"nothing was sent": {on, func(context.Context, *world) {}},
		"after a stop": {on, func(_ context.Context, w *world) {
			_ = w.Stop(w.Context())
		}},
		"while the guest shuts down": {deaf, func(ctx context.Context, w *world) { _ = w.Stop(ctx) }},
		"while an image is installed": {on, func(ctx context.Context, w *world) {
			_ = w.Stop(w.Context())
			_ = w.Reimage(ctx, image)
		}},
		"after a lost answer to a reimage": {on, func(_ context.Context, w *world) {
			_ = w.Stop(w.Context())
			w.failNext(http.MethodPost, "/reimage", lost())
			_ = w.Reimage(w.Context(), image)
		}},
		"while the service is away": {on, func(_ context.Context, w *world) {
			_ = w.Stop(w.Context())
			away := w.Inject(emulator.Fault{Status: http.StatusServiceUnavailable})
			time.AfterFunc(30*time.Second, away)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with(t, test.power, func(w *world) {
				ctx, cancel := context.WithTimeout(w.Context(), 15*time.Second)
				defer cancel()
				test.do(ctx, w)
				if err := w.RestorePower(ctx); err != nil || !w.now().PowerOn || !w.now().AutorebootOn {
					w.Errorf("%v: %+v", err, w.now())
				}
			})
		})
	}
	with(t, on, func(w *world) {
		_ = w.Stop(w.Context())
		w.SoftDelete(w.id)
		if !inventory.IsDeletedOrGone(w.RestorePower(w.Context())) {
			w.Error("the machine is soft-deleted, and there is no power to restore")
		}
	})
}

// TestRestoreThatIsRefused: it goes on for two minutes, and the log says with what answer.
func TestRestoreThatIsRefused(t *testing.T) {
	t.Parallel()
	with(t, emulator.Machine{PowerOn: true, AutorebootOn: true}, func(w *world) {
		var log bytes.Buffer
		ctx, began := tflogtest.RootLogger(w.Context(), &log), time.Now()
		_ = w.Stop(ctx)
		log.Reset()
		w.Inject(emulator.Fault{Status: http.StatusForbidden})
		err := w.RestorePower(ctx)
		if took := time.Since(began); cloudserver.StatusCode(err) != http.StatusForbidden || took < 2*time.Minute || took > 3*time.Minute {
			w.Errorf("%v after %s", err, took)
		}
		lines := regexp.MustCompile(`cannot restore its power yet: \S+ \S+ answered 403`).FindAllString(log.String(), -1)
		if len(lines) < 3 {
			w.Errorf("the log has %d lines:\n%s", len(lines), log.String())
		}
	})
}

// TestDiscs: what the machine shows decides about a request whose answer was lost.
func TestDiscs(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]*emulator.Fault{"answered": nil, "lost": new(lost())} {
		with(t, emulator.Machine{}, func(w *world) {
			if fault != nil {
				w.failNext(http.MethodPost, "/discs", *fault)
			}
			added, err := w.Machine.AddDisc(w.Context(), cloudserver.DiscSpec{Label: "data", Size: 10240})
			if err != nil || len(w.now().Discs) != 2 || added.ID != w.now().Discs[1].ID {
				w.Fatalf("%s: added %+v, %v", name, added, err)
			}
			if fault != nil {
				w.failNext(http.MethodDelete, cloudserver.IDText(added.ID), *fault)
			}
			if err := w.PurgeDisc(w.Context(), added.ID); err != nil || len(w.now().Discs) != 1 {
				w.Errorf("%s: purged %v: %+v", name, err, w.now().Discs)
			}
			if sent := w.sent(); sent != "POST DELETE" {
				w.Errorf("%s: sent %s", name, sent)
			}
		})
	}
}

// TestAwaitDiscs: the error of a wait has the discs that the machine shows, or why they could not be read.
func TestAwaitDiscs(t *testing.T) {
	t.Parallel()
	for says, prepare := range map[string]func(w *world){
		`the machine has the discs "vda" (ID `: func(*world) {},
		"its discs could not be read: ": func(w *world) {
			w.Inject(emulator.Fault{
				Match:  func(r emulator.Request) bool { return strings.HasSuffix(r.Path, "/discs") },
				Status: http.StatusForbidden,
			})
			w.Inject(emulator.Fault{Rewrite: func(status int, header http.Header, body []byte) (int, http.Header, []byte) {
				return status, header, bytes.ReplaceAll(body, []byte(`"discs"`), []byte(`"others"`))
			}})
		},
	} {
		with(t, emulator.Machine{}, func(w *world) {
			prepare(w)
			ctx, cancel := context.WithTimeout(w.Context(), time.Minute)
			defer cancel()
			never := func([]cloudserver.Disc) bool { return false }
			_, err := w.AwaitDiscs(ctx, "the discs", never)
			if wait, ok := errors.AsType[*progress.Unfinished](err); !ok || !strings.HasPrefix(wait.Seen, says) {
				t.Errorf("got %v, want %q", err, says)
			}
		})
	}
}

// TestDelete: a deletion that is accepted is waited for, and a 404 means that the machine is gone only if it is.
func TestDelete(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		before func(w *world)
		purge  bool
		fails  bool
	}{
		"purged":       {before: func(*world) {}, purge: true},
		"soft-deleted": {before: func(*world) {}},
		"accepted": {before: func(w *world) {
			w.failNext(http.MethodDelete, "", emulator.Fault{Status: http.StatusAccepted})
			time.AfterFunc(time.Minute, func() { w.Purge(w.id) })
		}, purge: true},
		"a soft delete accepted": {before: func(w *world) {
			w.failNext(http.MethodDelete, "", emulator.Fault{Status: http.StatusAccepted})
			time.AfterFunc(time.Minute, func() { w.SoftDelete(w.id) })
		}},
		"gone already": {before: func(w *world) { w.Purge(w.id) }, purge: true},
		"soft-deleted already": {before: func(w *world) {
			w.SoftDelete(w.id)
			w.failNext(http.MethodDelete, "", emulator.Fault{Status: http.StatusNotFound})
		}},
		"moved meanwhile": {before: func(w *world) {
			group := w.AddGroup(emulator.DemoAccount, "other", false)
			_ = w.Change(w.id, func(m *emulator.Machine) { m.GroupID = group })
		}, purge: true, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			with(t, emulator.Machine{}, func(w *world) {
				test.before(w)
				err := w.Delete(w.Context(), test.purge)
				isThere := slices.ContainsFunc(w.Machines(), func(m emulator.Machine) bool { return !m.Deleted })
				if (err != nil) != test.fails || isThere != test.fails {
					w.Errorf("%v: %+v", err, w.Machines())
				}
			})
		})
	}
}
