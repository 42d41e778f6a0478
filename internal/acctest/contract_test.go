package acctest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestContract holds client and emulator against the same documents, so that a
// wrong JSON tag cannot hide by being wrong on both sides: the client must send
// the documented request and understand the documented answer; the emulator must
// take that request and give an answer of that shape.
func TestContract(t *testing.T) {
	t.Parallel()
	for _, document := range contract() {
		t.Run(document.name, func(t *testing.T) {
			t.Parallel()
			t.Run("client", document.testClient)
			t.Run("emulator", document.testEmulator)
		})
	}
}

// document is one documented exchange. {vm} and {disc} in the path stand for
// ids, which differ between the two sides.
type document struct {
	name            string
	request         string // method and path
	body            string
	status          int
	answer          string
	call            func(t *testing.T, c *cloudserver.Client) (any, error)
	understood      any // what the client makes of the answer
	beforeEmulation func(e *emulator.Emulator, id int64)
}

func (d document) testClient(t *testing.T) {
	t.Parallel()
	wanted := strings.NewReplacer("{vm}", strconv.Itoa(documentedVM), "{disc}", strconv.Itoa(documentedDisc)).Replace(d.request)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Method + " " + r.URL.RequestURI(); got != wanted {
			t.Errorf("the client asked for %s, documented is %s", got, wanted)
		}
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff(parse(t, d.body), parse(t, string(sent))); diff != "" {
			t.Errorf("the client's body differs from the documented one:\n%s", diff)
		}
		w.Header().Set("Content-Type", "application/vnd.example.thing+json")
		w.WriteHeader(d.status)
		_, _ = io.WriteString(w, d.answer)
	}))
	defer server.Close()
	client, err := cloudserver.New(cloudserver.Config{Endpoint: server.URL, Token: emulator.DemoAPIKey})
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.call(t, client)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d.understood, got); diff != "" {
		t.Errorf("the client understood the documented answer otherwise:\n%s", diff)
	}
}

func (d document) testEmulator(t *testing.T) {
	t.Parallel()
	e := emulator.New(emulator.Options{})
	id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{
		Name: "web1", PowerOn: true, Cores: 1, Memory: 1024, HardwareProfile: "virtio2013", Head: "head-york-1", LastImagedWith: "bookworm",
		Discs: []emulator.Disc{{Label: "vda", Size: 25600, StorageGrade: "sata"}},
	})
	machine, _ := e.Machine(id)
	if d.beforeEmulation != nil {
		d.beforeEmulation(e, id)
	}
	path := strings.NewReplacer("{vm}", strconv.FormatInt(id, 10), "{disc}", strconv.FormatInt(machine.Discs[0].ID, 10)).Replace(d.request)
	method, path, _ := strings.Cut(path, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(d.body))
	r.Header.Set("Authorization", "Bearer "+emulator.DemoAPIKey)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	if w.Code != d.status {
		t.Fatalf("the emulator answered %d, documented is %d: %s", w.Code, d.status, w.Body)
	}
	want, got := shape(parse(t, d.answer)), shape(parse(t, w.Body.String()))
	if want != got {
		t.Errorf("the emulator's answer has the shape\n%s\ndocumented is\n%s", got, want)
	}
}

func parse(t *testing.T, text string) any {
	t.Helper()
	if text == "" {
		return nil
	}
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

// shape names the attributes and kinds of a document: of arrays the first
// element stands for all, and a null may be anything.
func shape(value any) string {
	switch v := value.(type) {
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+":"+shape(v[name]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + shape(v[0]) + "]"
	case nil:
		return "null"
	}
	return fmt.Sprint(reflect.TypeOf(value).Kind())
}
