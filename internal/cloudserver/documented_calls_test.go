// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

var (
	apiCall     = regexp.MustCompile("(?m)^#### `([A-Z]+) ([^`]+)`$")
	apiRequest  = regexp.MustCompile("(?ms)^Request:\n\n```json\n(.*?)^```")
	apiResponse = regexp.MustCompile("(?ms)^Response: (\\d+)(?:, as for `([^`]+)`)?\\.(?:\n\n```\\w+\n(.*?)^```)?")
	placeholder = regexp.MustCompile(`\\\{[a-z]+\\\}`)
)

// documentedCall is a call of API.md §9.
type documentedCall struct {
	name    string
	method  string
	path    *regexp.Regexp
	request string // JSON, "" for none
	status  int
	answer  string
	made    bool
}

// documentedAPI answers with the examples of API.md §9.
type documentedAPI struct {
	t     *testing.T
	mu    sync.Mutex
	calls []*documentedCall
	last  *documentedCall
}

func readDocumentedAPI(t *testing.T) *documentedAPI {
	t.Helper()
	document, err := os.ReadFile("API.md")
	if err != nil {
		t.Fatal(err)
	}
	page, api := string(document), &documentedAPI{t: t}
	starts := apiCall.FindAllStringSubmatchIndex(page, -1)
	for i, start := range starts {
		end := len(page)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		section := page[start[1]:end]
		call := &documentedCall{method: page[start[2]:start[3]]}
		path, _, _ := strings.Cut(page[start[4]:start[5]], "?")
		call.name = call.method + " " + path
		call.path = regexp.MustCompile("^" + placeholder.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+") + "$")
		if found := apiRequest.FindStringSubmatch(section); found != nil {
			call.request = found[1]
		}
		response := apiResponse.FindStringSubmatch(section)
		if response == nil {
			t.Fatalf("%s has no response", call.name)
		}
		call.status, _ = strconv.Atoi(response[1])
		call.answer = response[3]
		if like := response[2]; like != "" {
			path, _, _ := strings.Cut(like, "?")
			i := slices.IndexFunc(api.calls, func(c *documentedCall) bool { return c.name == path })
			if i < 0 {
				t.Fatalf("%s: there is no %s before it", call.name, like)
			}
			call.answer = api.calls[i].answer
		}
		api.calls = append(api.calls, call)
	}
	return api
}

// RoundTrip implements http.RoundTripper.
func (a *documentedAPI) RoundTrip(request *http.Request) (*http.Response, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, call := range a.calls {
		if call.method != request.Method || !call.path.MatchString(request.URL.Path) {
			continue
		}
		call.made, a.last = true, call
		a.expectDocumented(call, request)
		header := http.Header{"Content-Type": {"application/json"}}
		return &http.Response{
			StatusCode: call.status, Header: header, Body: io.NopCloser(strings.NewReader(call.answer)), Request: request,
		}, nil
	}
	a.t.Errorf("%s %s is not in API.md", request.Method, request.URL.Path)
	return nil, http.ErrNotSupported
}

// expectDocumented expects that API.md has every key of the request's body.
func (a *documentedAPI) expectDocumented(call *documentedCall, request *http.Request) {
	if request.Body == nil || request.Body == http.NoBody {
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil {
		a.t.Error(err)
	}
	if len(body) == 0 {
		return
	}
	var sent, documented any
	if json.Unmarshal(body, &sent) != nil || json.Unmarshal([]byte(call.request), &documented) != nil {
		a.t.Errorf("%s: the request, or the one in API.md, is not JSON: %s", call.name, call.request)
		return
	}
	known := keys(documented)
	for _, key := range keys(sent) {
		if !slices.Contains(known, key) {
			a.t.Errorf("%s: API.md does not have %s of the request", call.name, key)
		}
	}
}

// keys returns the paths of all keys in a JSON value.
func keys(value any) []string {
	var found []string
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			found = append(found, key)
			for _, deeper := range keys(inner) {
				found = append(found, key+"."+deeper)
			}
		}
	case []any:
		for _, element := range value {
			found = append(found, keys(element)...)
		}
	}
	return found
}

// ignored are attributes of documented answers that the client does not read.
var ignored = []string{"virtual_machine", "reimage", "reimage.distribution", "reimage.root_password", "network_interfaces.virtual_machine_id"}

// understood returns an error if the client has not read an attribute of the last answer.
func (a *documentedAPI) understood(read any, err error) error {
	if err != nil || a.last.answer == "" {
		return err
	}
	var documented, found any
	text, err := json.Marshal(read)
	if err = errors.Join(err, json.Unmarshal(text, &found), json.Unmarshal([]byte(a.last.answer), &documented)); err != nil {
		return fmt.Errorf("%s: %w", a.last.name, err)
	}
	known := keys(found)
	for _, key := range keys(documented) {
		key = strings.TrimPrefix(key, "virtual_machine.")
		if !slices.Contains(known, key) && !slices.Contains(ignored, key) {
			err = errors.Join(err, fmt.Errorf("%s: the client does not read %s", a.last.name, key))
		}
	}
	return err
}

// callAll makes each call of the client, with every attribute that it can send.
func (a *documentedAPI) callAll(x context.Context, c *cloudserver.Client) error {
	vm := cloudserver.Ref{Account: "demo", Group: "default", ID: 1234}
	image := cloudserver.Reimage{Distribution: "bookworm", RootPassword: "made-up", SSHPublicKey: "ssh-ed25519 AAAA", FirstbootScript: "#!/bin/sh\n"}
	settings := cloudserver.Settings{
		Cores: new(int64(2)), Memory: new(int64(4096)), HardwareProfile: new("virtio2013"), HardwareProfileLocked: new(false),
		AutorebootOn: new(true), PowerOn: new(true), Keymap: &cloudserver.Nullable{}, CDROMURL: &cloudserver.Nullable{},
	}
	create := cloudserver.VirtualMachineCreate{
		VirtualMachine: cloudserver.VirtualMachineSpec{Name: "web1", ZoneName: new("york"), Settings: settings},
		Discs:          []cloudserver.DiscSpec{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
		Reimage:        &image, IPs: &cloudserver.IPs{IPv4: "192.0.2.10", IPv6: "2001:db8:1::10"}, NameIsFree: true,
	}
	schedule := cloudserver.BackupScheduleSpec{StartAt: "2027-01-03 04:00:00", IntervalSeconds: 604800, Capacity: new(int64(4))}
	drop := func(_ any, err error) error { return err }
	reads := a.understood
	return errors.Join(
		drop(c.Definitions(x)),
		drop(c.OpenSession(x, "123456")),
		drop(c.OpenSlidingSession(x)),
		c.CheckSession(x, "9b2f6c1e"),
		reads(c.Accounts(x)),
		reads(c.Account(x, "demo")),
		reads(c.Overview(x, "demo")),
		reads(c.Groups(x, "demo")),
		reads(c.Group(x, "demo", "default")),
		reads(c.CreateGroup(x, "demo", "production")),
		c.RenameGroup(x, "demo", "default", 12, "staging"),
		c.DeleteGroup(x, "demo", "default"),
		reads(c.CreateVirtualMachine(x, "demo", "default", create)),
		reads(c.VirtualMachine(x, 1234)),
		reads(c.Discs(x, vm)),
		reads(c.VirtualMachineByName(x, "demo", "default", "web1")),
		reads(c.VirtualMachines(x, "demo", "default")),
		c.UpdateVirtualMachine(x, vm, cloudserver.VirtualMachineUpdate{Name: new("web2"), GroupID: new(int64(13)), Settings: settings, Deleted: new(false)}),
		c.Signal(x, vm, "sendkey", "ctrl-alt-delete"),
		c.PowerDown(x, vm),
		c.ReimageVirtualMachine(x, vm, image),
		c.DeleteVirtualMachine(x, vm, true),
		reads(c.Disc(x, 1235)),
		reads(c.AddDisc(x, vm, cloudserver.DiscSpec{Label: "data", Size: 51200, StorageGrade: "archive"})),
		c.UpdateDisc(x, vm, 1235, cloudserver.DiscUpdate{Size: new(int64(102400)), Label: new("data"), VirtualMachineID: new(int64(1240))}),
		c.PurgeDisc(x, vm, 1235),
		reads(c.CreateBackupSchedule(x, vm, 1235, schedule)),
		c.DeleteBackupSchedule(x, vm, 1235, 1300),
		reads(c.Backups(x, vm, 1235)),
		reads(c.TakeBackup(x, vm, 1235)),
		c.RestoreBackup(x, vm, 1235, 1301),
		c.DeleteBackup(x, vm, 1235, 1301),
		drop(c.IP(x, "192.0.2.25")),
		c.SetRDNS(x, "192.0.2.25", "mail.example.com"),
	)
}

// TestDocumentedCalls: API.md §9 has every attribute that the client sends, no call that it never makes, and the client
// understands the responses in it.
func TestDocumentedCalls(t *testing.T) {
	t.Parallel()
	api := readDocumentedAPI(t)
	client, err := cloudserver.New(cloudserver.Config{
		Endpoint: "https://api.example.com", Username: "demo", Password: "made-up", Transport: api,
	})
	if err == nil {
		err = api.callAll(t.Context(), client)
	}
	if err != nil {
		t.Errorf("the client does not understand a response of API.md: %v", err)
	}
	for _, call := range api.calls {
		if !call.made {
			t.Errorf("API.md has %s, and the client never makes it", call.name)
		}
	}
}
