package cloudserver_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestListedMachines: a listing has the same machines as VirtualMachines, although only those that are wanted are
// decoded.
func TestListedMachines(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"documented":     "[" + document(t, "virtual_machine.json") + "]",
		"empty":          " [ ] ",
		"spaces":         "\n[\t{ \"id\" : 5 , \"name\" : \"a\" } ,\r\n{} ]",
		"brackets":       `[{"name":"]},{[","cdrom_url":"\"}],\\","id":1},{"id":2,"discs":[{"id":3,"label":"[{,:"}]}]`,
		"escapes":        `[{"n\u0061me":"\u0061\"b","\u0069d":7,"keymap":"é\ud83d\ude00\ud800"}]`,
		"unprintable":    `[{"id":1,"name":"\u001b[2J"}]`,
		"not UTF-8":      "[{\"id\":1,\"name\":\"\xff\"}]",
		"nested":         `[{"discs":[{"id":3,"name":"no"}],"id":1,"name":"yes","head":{"id":4,"name":"no"}}]`,
		"twice":          `[{"id":1,"id":2,"name":"a","name":"b"},{"id":1,"id":"x","name":"a","name":null},{"id":2},{"id":2}]`,
		"odd IDs":        `[{"id":"1"},{"id":2.0},{"id":1e3},{"id":null},{"id":{}},{"id":9223372036854775808},{"id":9007199254740993},{"name":5},{"name":["a"]}]`,
		"one machine":    ` {"id":7,"name":"web7"}`,
		"one without ID": `{"name":"web7"}`,
		"an error":       `{"error":"no"}`,
		"not machines":   `[{"id":1},[]]`,
		"null":           `[null]`,
		"numbers":        `[1,2]`,
		"a string":       `"[{}]"`,
		"nothing":        ``,
		"a word":         `null`,
		"cut off":        `[{"id":1},{"id":2`,
		"more":           `[{"id":1}] x`,
		"two lists":      `[{"id":1}][{"id":2}]`,
		"deep":           strings.Repeat("[", 20000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newClient(t, serve(answer(200, body)), withRetries(0))
			machines, err := client.VirtualMachines(t.Context(), "acme", "web")
			expectListed(t, client, machines, err)
		})
	}
}

// expectListed checks that the client lists these machines, or answers with the same error.
func expectListed(t *testing.T, client *cloudserver.Client, want []cloudserver.VirtualMachine, wantErr error) {
	t.Helper()
	listed, err := client.ListVirtualMachines(t.Context(), "acme", "web")
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || len(listed) != len(want) {
		t.Fatalf("got %d machines, %v; want %d, %v", len(listed), err, len(want), wantErr)
	}
	for i, machine := range listed {
		if machine.ID != want[i].ID || machine.Name != want[i].Name {
			t.Errorf("got id %d, name %q; want %d, %q", machine.ID, machine.Name, want[i].ID, want[i].Name)
		}
		if vm, ok := machine.VirtualMachine(); !ok {
			t.Errorf("machine %d is refused", machine.ID)
		} else if diff := cmp.Diff(&want[i], vm); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

// BenchmarkListing compares the cost of a listing of 1,000 machines of which all are wanted, or ten.
func BenchmarkListing(b *testing.B) {
	one := document(b, "virtual_machine.json")
	body := "[" + strings.Repeat(one+",", 999) + one + "]"
	client := newClient(b, serve(answer(200, body)))
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			if machines, err := client.VirtualMachines(b.Context(), "acme", "web"); err != nil || len(machines) != 1000 {
				b.Fatal(len(machines), err)
			}
		}
	})
	b.Run("ten", func(b *testing.B) {
		for b.Loop() {
			machines, err := client.ListVirtualMachines(b.Context(), "acme", "web")
			if err != nil || len(machines) != 1000 {
				b.Fatal(len(machines), err)
			}
			for _, machine := range machines[:10] {
				if _, ok := machine.VirtualMachine(); !ok {
					b.Fatal(machine.ID)
				}
			}
		}
	})
}
