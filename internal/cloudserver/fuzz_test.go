package cloudserver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Whatever the service says, no decoder panics, and none fails an object.
func FuzzDecoders(f *testing.F) {
	for _, name := range []string{"virtual_machine.json", "vm_create.json", "account.json", "definitions.json"} {
		f.Add(document(f, name))
	}
	f.Add(`{"id":"1","discs":[[]],"network_interfaces":[{"extra_ips":{"a":{}}}],"keymap":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		object := map[string]json.RawMessage{}
		isObject := json.Unmarshal([]byte(text), &object) == nil
		for _, target := range []any{
			&cloudserver.VirtualMachine{}, &cloudserver.Disc{}, &cloudserver.NetworkInterface{},
			&cloudserver.Group{}, &cloudserver.Account{}, &cloudserver.IP{},
		} {
			if err := json.Unmarshal([]byte(text), target); err != nil && isObject {
				t.Errorf("%T: %v", target, err)
			}
		}
	})
}

func FuzzDefinitions(f *testing.F) {
	f.Add(document(f, "definitions.json"))
	f.Add(`[{"id":"keymaps","data":{"a":{}}},{"id":"distribution_descriptions","data":["x"]}]`)
	f.Fuzz(func(t *testing.T, text string) {
		definitions, err := newClient(t, serve(answer(200, text))).Definitions(t.Context())
		if err == nil && (definitions.Distributions == nil || definitions.JSON != text) {
			t.Errorf("got %+v", definitions)
		}
	})
}

// Whatever a refusal looks like, its words are short, printable and without
// the secret that was sent.
func FuzzErrorBodies(f *testing.F) {
	f.Add("application/json", `{"name":["has already been taken"],"discs":[{},{"size":["x"]}]}`)
	f.Add("text/html", "<html><title>Bad &#10; Gateway</title>")
	f.Add("", `{"errors":{"errors":{"root_password":"zq-marker-zq"}}}`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		client := newClient(t, serve(answer(400, body, "Content-Type", contentType)))
		err := client.ReimageVirtualMachine(t.Context(), machine, cloudserver.Reimage{RootPassword: "zq-marker-zq"})
		var refused *cloudserver.Error
		if !errors.As(err, &refused) {
			t.Fatalf("got %v", err)
		}
		if strings.Contains(err.Error(), "zq-marker-zq") || !utf8.ValidString(refused.Message) || len([]rune(refused.Message)) > 301 || strings.ContainsAny(refused.Message, "\n\x1b") {
			t.Errorf("got %q", refused.Message)
		}
	})
}
