package cloudserver_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Whatever the service answers, no call panics, and decoded values and errors are safe to show.
func FuzzAnswers(f *testing.F) {
	for _, name := range []string{"virtual_machine.json", "vm_create.json", "account.json", "definitions.json"} {
		f.Add(document(f, name))
	}
	f.Add(`{"id":"1","discs":[[]],"network_interfaces":[{"extra_ips":{"a":{}}}],"keymap":{}}`)
	f.Add(`[{"id":1,"manual":1,"backup_schedules":[{"id":2,"start_at":"\u001b[2J"}]}]`)
	f.Add(`[{"id":"keymaps","data":{"a":{}}},{"id":"distribution_descriptions","data":["x"]}]`)
	f.Add(`{"id":1,"name":"\u001b[2J"}`)
	f.Add(`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`)
	f.Fuzz(func(t *testing.T, text string) {
		client := newClient(t, serve(answer(200, text)), withRetries(0))
		for name, call := range calls() {
			if strings.HasPrefix(name, "Create") { // creations wait
				continue
			}
			if err := call.do(t.Context(), client); err != nil && (len(err.Error()) > 2000 || !isPrintable(err.Error())) {
				t.Errorf("%s: the error is %.500q", name, err)
			}
		}
		machines, _ := client.VirtualMachines(t.Context(), "acme", "web") // its error is among those checked above
		for _, vm := range machines {
			if !isPrintable(vm.Name) || vm.Hostname != nil && !isPrintable(*vm.Hostname) {
				t.Errorf("got %q", vm.Name)
			}
		}
	})
}

// A listing has the same machines if only those that are wanted are decoded.
func FuzzLists(f *testing.F) {
	f.Add("[" + document(f, "virtual_machine.json") + "]")
	f.Add(`[{"\u0069d":1,"name":"\"]},{"},{"id":"2","n\u0061me":"b","id":3.0},{}]`)
	f.Add(`{"id":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		if hasCapitals(text) {
			t.Skip()
		}
		client := newClient(t, serve(answer(200, text)), withRetries(0))
		machines, err := client.VirtualMachines(t.Context(), "acme", "web")
		expectListed(t, client, machines, err)
	})
}

var idOrName = regexp.MustCompile(`(?i)"(id|name)"|\\u004[0-9a-f]`)

// hasCapitals reports whether the name of a field has capitals: a listing takes "ID" for "id".
func hasCapitals(text string) bool {
	return slices.ContainsFunc(idOrName.FindAllString(text, -1), func(name string) bool { return name != `"id"` && name != `"name"` })
}

func isPrintable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) && r != utf8.RuneError })
}

// Whatever is configured as an endpoint, no error shows credentials in it.
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

// Whatever the body of a refusal, its words are short, printable and do not contain the secret that was sent.
func FuzzErrorBodies(f *testing.F) {
	f.Add("application/json", `{"name":["has already been taken"],"discs":[{},{"size":["x"]}]}`)
	f.Add("text/html", "<html><title>Bad &#10; Gateway</title>")
	f.Add("", `{"errors":{"errors":{"root_password":"marker<root>&1"}}}`)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		refused := refusal(t, 400, contentType, body)
		if strings.Contains(refused.Error(), refusedPassword) || len([]rune(refused.Message)) > 301 || !isPrintable(refused.Error()) {
			t.Errorf("got %q", refused.Message)
		}
		for _, problem := range refused.Problems {
			if text := problem.String(); strings.Contains(text, refusedPassword) || len([]rune(text)) > 600 || !isPrintable(text) {
				t.Errorf("got the problem %q", text)
			}
		}
	})
}
