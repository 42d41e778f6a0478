// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// populate adds a group with machines of two addresses each, two schedules for each of the first two, and a reverse
// name for the third address of the second. It returns the machines.
func populate(t *testing.T, e *acctest.Emulator, machines int) []string {
	t.Helper()
	ctx, d := t.Context(), e.NewDriver(t, nil)
	e.AddGroup("demo", "web", false)
	var ids []string
	for i := range machines {
		number := i + 1
		id := e.AddMachine("demo", "web", emulator.Machine{
			Name: fmt.Sprintf("web%03d", number), PowerOn: true, AutorebootOn: true, Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
			Interfaces: []emulator.Interface{{
				MAC: fmt.Sprintf("52:54:00:00:01:%02x", number), IPs: []string{fmt.Sprintf("203.0.113.%d", number), fmt.Sprintf("2001:db8:2::%x", number)},
			}},
		})
		ids = append(ids, fmt.Sprint(id))
		if i > 1 {
			continue
		}
		machine, _ := e.Machine(id)
		for _, interval := range []int{86400, 604800} {
			d.MustApply(ctx, "cloudserver_backup_schedule", nil, object{
				"virtual_machine_id": fmt.Sprint(id), "disc_id": fmt.Sprint(machine.Discs[0].ID), "start_at": "2030-01-31 04:00:00 UTC", "interval_seconds": interval,
			})
		}
	}
	d.MustApply(ctx, "cloudserver_rdns", nil, object{"address": "203.0.113.2", "hostname": "www.example.com"})
	e.ResetJournal()
	return ids
}

// TestLists: each list resource finds what an import by the listed identity reads, and the configuration generated from
// it plans no change. All blocks of a query share one overview.
func TestLists(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(t, e, 3)
	for typeName, want := range map[string][]string{
		"cloudserver_group": {"default", "private", "web"},
		"cloudserver_vm":    {"web/web001", "web/web002", "web/web003"},
		"cloudserver_backup_schedule": {
			"web/web001/vda, every 86400 seconds", "web/web001/vda, every 604800 seconds", "web/web002/vda, every 86400 seconds", "web/web002/vda, every 604800 seconds",
		},
		"cloudserver_rdns": {"web/web002: 203.0.113.2 is www.example.com"},
	} {
		listed := d.MustList(ctx, typeName, nil, acctest.ListOptions{IncludeResource: true})
		var names []string
		for _, l := range listed {
			names = append(names, l.DisplayName)
		}
		if diff := cmp.Diff(want, names); diff != "" {
			t.Errorf("%s: -want +got\n%s", typeName, diff)
		}
	}
	if n := len(e.AllCalls()); n != 2+6 {
		t.Errorf("%d requests, want the groups, the overview, and one for each address: %v", n, e.AllCalls())
	}
	for _, typeName := range []string{"cloudserver_group", "cloudserver_backup_schedule", "cloudserver_rdns"} { // machines: TestListedIsImported
		for _, l := range d.MustList(ctx, typeName, nil, acctest.ListOptions{IncludeResource: true}) {
			imported, diags := d.ImportByIdentity(ctx, typeName, l.Object.GetIdentity("").(map[string]any))
			if acctest.HasErrors(diags) {
				t.Fatal(acctest.DiagText(diags))
			}
			if diff := cmp.Diff(imported.Get(""), l.Object.Get("")); diff != "" {
				t.Errorf("%s: -imported +listed\n%s", l.DisplayName, diff)
			}
			d.ExpectPlan(ctx, imported, d.GeneratedConfig(ctx, l.Object), acctest.ActionNoOp)
		}
	}
	for typeName, want := range map[string]int{"cloudserver_backup_schedule": 2, "cloudserver_rdns": 0} {
		if got := len(d.MustList(ctx, typeName, object{"group": "web", "name_pattern": "*1"}, acctest.ListOptions{})); got != want {
			t.Errorf("%s: %d of web001, want %d", typeName, got, want)
		}
	}
}

// TestListLimit: the CLI stops reading at the limit, so the warning about what is not listed precedes the first result.
func TestListLimit(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(t, e, 110)
	for typeName, test := range map[string]struct {
		limit int64
		says  string // of the first result
	}{
		"cloudserver_vm":              {100, "Only 100 of 110 virtual machines are listed"},
		"cloudserver_group":           {2, "Only 2 of 3 groups are listed"},
		"cloudserver_backup_schedule": {1, "Only 1 of 4 backup schedules are listed"},
		"cloudserver_rdns":            {1, ""},
	} {
		first, results := "", int64(0)
		for listed, diags := range d.List(ctx, typeName, nil, acctest.ListOptions{Limit: test.limit}) {
			if results == 0 {
				first += acctest.DiagText(diags)
			}
			if listed.Object != nil {
				results++
			}
		}
		if results != test.limit || !strings.Contains(first, test.says) || (test.says == "") != (first == "") {
			t.Errorf("%s: %d results, and before them %q", typeName, results, first)
		}
		if test.says != "" && !strings.Contains(first, "Set limit = ") {
			t.Errorf("%s: %q does not say what to do", typeName, first)
		}
	}
}

// TestListOfNamesThatCannotBeRead: a list that is not complete is an error.
func TestListOfNamesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(t, e, 3)
	e.Inject(emulator.Fault{Match: func(r emulator.Request) bool { return r.Path == "/ips/203.0.113.3" }, Status: http.StatusForbidden})
	for listed, diags := range d.List(t.Context(), "cloudserver_rdns", nil, acctest.ListOptions{}) {
		if text := acctest.DiagText(diags); listed.Object != nil || !strings.Contains(text, "Cannot list reverse DNS names") {
			t.Errorf("%v\n%s", listed.DisplayName, text)
		}
	}
}

// TestListOfSchedulesThatAnOverviewLacks: schedules that an overview does not show are read with their discs.
func TestListOfSchedulesThatAnOverviewLacks(t *testing.T) {
	t.Parallel()
	_, e := acctest.Drive(t, emulator.Options{}, nil)
	populate(t, e, 3)
	d := e.NewProcess(t, lacking{e.Transport(), "backup_schedules"}, nil)
	if listed := d.MustList(t.Context(), "cloudserver_backup_schedule", nil, acctest.ListOptions{}); len(listed) != 4 {
		t.Errorf("%d schedules, want 4", len(listed))
	}
}

// lacking is a service whose overviews lack a field.
type lacking struct {
	http.RoundTripper
	field string
}

func (l lacking) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := l.RoundTripper.RoundTrip(r)
	if err != nil || r.URL.Path != "/accounts/demo" {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	err = errors.Join(err, resp.Body.Close())
	body = bytes.ReplaceAll(body, []byte(`"`+l.field+`"`), []byte(`"other_`+l.field+`"`))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Del("Content-Length")
	return resp, err
}

// TestListsOfAGroupThatDoesNotExist: every list and the data source name the closest group.
func TestListsOfAGroupThatDoesNotExist(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	e.AddGroup("demo", "web", false)
	config := object{"group": "weeb"}
	_, diags := d.ReadData(t.Context(), "cloudserver_vms", config)
	texts := map[string]string{"cloudserver_vms": acctest.DiagText(diags)}
	for _, typeName := range []string{"cloudserver_vm", "cloudserver_backup_schedule", "cloudserver_rdns"} {
		for _, diags := range d.List(t.Context(), typeName, config, acctest.ListOptions{}) {
			texts[typeName] += acctest.DiagText(diags)
		}
	}
	for name, text := range texts {
		if !strings.Contains(text, "error at group: ") || !strings.Contains(text, `Did you mean "web"?`) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	if len(texts) != 4 {
		t.Errorf("only %d have said something", len(texts))
	}
}
