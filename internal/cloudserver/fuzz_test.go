package cloudserver_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Whatever the service answers, no decoder panics, and none rejects an object.
func FuzzDecoders(f *testing.F) {
	for _, name := range []string{"virtual_machine.json", "vm_create.json", "account.json", "definitions.json"} {
		f.Add(document(f, name))
	}
	f.Add(`{"id":"1","discs":[[]],"network_interfaces":[{"extra_ips":{"a":{}}}],"keymap":{}}`)
	f.Add(`{"id":1,"manual":1,"backup_schedules":[{"id":2,"start_at":"\u001b[2J"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		object := map[string]json.RawMessage{}
		isObject := json.Unmarshal([]byte(text), &object) == nil
		for _, target := range []any{
			&cloudserver.VirtualMachine{}, &cloudserver.Disc{}, &cloudserver.NetworkInterface{}, &cloudserver.Backup{},
			&cloudserver.BackupSchedule{}, &cloudserver.Group{}, &cloudserver.Account{}, &cloudserver.IP{},
		} {
			if err := json.Unmarshal([]byte(text), target); err != nil && isObject {
				t.Errorf("%T: %v", target, err)
			}
		}
	})
}

// Whatever the service answers, a list is decoded or refused in words that can be
// shown, and what was decoded can be shown, too.
func FuzzLists(f *testing.F) {
	f.Add(`[{"id":1,"name":"a"},{"id":2,"discs":[{"id":3,"label":"vda"}]}]`)
	f.Add(`{"id":1,"name":"\u001b[2J"}`)
	f.Add(`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`)
	f.Fuzz(func(t *testing.T, text string) {
		client := newClient(t, serve(answer(200, text)), withRetries(0))
		machines, err := client.VirtualMachines(t.Context(), "acme", "web")
		if err != nil && (len(err.Error()) > 2000 || !isPrintable(err.Error())) {
			t.Errorf("the error is %.500q", err)
		}
		for _, vm := range machines {
			if !isPrintable(vm.Name) || vm.Hostname != nil && !isPrintable(*vm.Hostname) {
				t.Errorf("got %q", vm.Name)
			}
		}
	})
}

func isPrintable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != utf8.RuneError })
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

// Whatever is configured as an endpoint, an error never shows credentials in it.
func FuzzEndpoint(f *testing.F) {
	for _, endpoint := range []string{"https://u:zqmarker@h", "https:/u:zqmarker@h", "u:zqmarker@h", "https://h/?token=zqmarker", "https://h/#zqmarker@", "//u:zqmarker%40h"} {
		f.Add(endpoint)
	}
	f.Fuzz(func(t *testing.T, endpoint string) {
		_, err := cloudserver.New(cloudserver.Config{Endpoint: endpoint})
		if err == nil {
			return
		}
		credentials := strings.ContainsAny(endpoint, "@?#") || strings.Contains(endpoint, "%40")
		if credentials && strings.Contains(err.Error(), "zqmarker") || !isPrintable(err.Error()) || len(err.Error()) > 1000 {
			t.Errorf("%q: got %q", endpoint, err)
		}
	})
}

// Whatever a refusal looks like, its words are short, printable and without the
// secret that was sent.
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
		if strings.Contains(err.Error(), "zq-marker-zq") || len([]rune(refused.Message)) > 301 || !isPrintable(err.Error()) {
			t.Errorf("got %q", refused.Message)
		}
		for _, problem := range refused.Problems {
			if text := problem.String(); strings.Contains(text, "zq-marker-zq") || len([]rune(text)) > 600 || !isPrintable(text) {
				t.Errorf("got the problem %q", text)
			}
		}
	})
}
