// SPDX-License-Identifier: MPL-2.0

package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// secrets are by where they are configured. Each contains something that JSON, URLs and HTML encode differently.
var secrets = map[string]string{
	"password":         `marker-1 "user" & <password>/+é`,
	"root_password":    `marker-2 "root" & <password>/+é`,
	"firstboot_script": "#!/bin/sh\nsend marker-3 \"script\" & <é>\n",
}

// TestSecrets: a machine lives with every secret that can be configured, and the service refuses requests and repeats
// what it was sent. What the CLI prints, its log at TRACE, its plan and its state have no secret. The driver has neither
// a log of the CLI nor its files.
func TestSecrets(t *testing.T) {
	t.Parallel()
	service := emulator.New(emulator.Options{})
	service.AddUser(emulator.User{Name: "operator", Password: secrets["password"]})
	echo := &echo{service: service}
	server := httptest.NewServer(echo)
	t.Cleanup(server.Close)
	w := newWorkspace(t, &acctest.Emulator{Emulator: service, URL: server.URL})
	w.env = append(w.env, "TF_LOG=TRACE", "TF_LOG_PATH="+w.path("log"))
	for name, secret := range secrets {
		w.env = append(w.env, "TF_VAR_"+name+"="+secret)
	}

	for _, step := range []struct {
		image   string
		refused string             // the request, by method and end of its path
		answer  func([]byte) reply // of the service to that request
		run     []string
	}{
		{image: "bookworm", refused: "POST /session", answer: repeatsAll, run: command("apply")},
		{image: "bookworm", refused: "POST /vm_create", answer: repeatsAll, run: command("apply")},
		{image: "bookworm", refused: "POST /vm_create", answer: repeatsPassword, run: command("apply")},
		{image: "bookworm", refused: "POST /vm_create", answer: quotesLine, run: command("apply")},
		{image: "bookworm", run: []string{"plan", "-no-color", "-out=tfplan"}},
		{image: "bookworm", run: []string{"show", "-json", "tfplan"}},
		{image: "bookworm", run: []string{"apply", "-no-color", "tfplan"}},
		{image: "trixie", refused: "POST /reimage", answer: repeatsInHTML, run: command("apply")},
		{image: "trixie", run: command("apply")},
		{image: "trixie", run: command("destroy")},
	} {
		w.write("main.tf", requirement+configWithSecrets(server.URL, step.image))
		echo.refuse(step.refused, step.answer)
		output, err := w.run(step.run...)
		if (err != nil) != (step.refused != "") {
			t.Fatalf("%v, refused %q: %v\n%s", step.run, step.refused, err, output)
		}
		at := fmt.Sprintf("%v, refused %q: ", step.run, step.refused)
		found := append(leaksIn(at+"the output", output), leaksIn(at+"the log", w.read("log"))...)
		found = append(found, leaksIn(at+"the state", w.read("terraform.tfstate"))...)
		found = append(found, leaksIn(at+"the plan", w.read("tfplan"))...)
		if len(found) > 0 {
			t.Errorf("%q", found)
		}
		if err := os.Remove(w.path("log")); err != nil {
			t.Fatal("the CLI wrote no log: ", err)
		}
	}
}

// configWithSecrets has the secrets as ephemeral variables, because the CLI itself saves other ones in its plan.
func configWithSecrets(endpoint, image string) string {
	var config strings.Builder
	for name := range secrets {
		fmt.Fprintf(&config, "variable %q {\n  sensitive = true\n  ephemeral = true\n}\n", name)
	}
	fmt.Fprintf(&config, `
provider "cloudserver" {
  endpoint = %q
  account  = %q
  username = "operator"
  password = var.password
}
resource "cloudserver_vm" "web" {
  name                      = "web1"
  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution     = %q
    on_change        = "reimage"
    root_password    = var.root_password
    firstboot_script = var.firstboot_script
  }
}
`, endpoint, emulator.DemoAccount, image)
	return config.String()
}

// leaksIn returns where a text has a secret, or the part of it that nothing encodes.
func leaksIn(where, text string) (found []string) {
	for i, name := range []string{"password", "root_password", "firstboot_script"} {
		secret := secrets[name]
		quoted, _ := json.Marshal(secret)
		forms := []string{fmt.Sprintf("marker-%d", i+1), secret, strings.Trim(string(quoted), `"`), url.QueryEscape(secret)}
		if slices.ContainsFunc(forms, func(form string) bool { return strings.Contains(text, form) }) {
			found = append(found, where+" has "+name)
		}
	}
	return found
}

// reply is the refusal of a careless service.
type reply struct{ contentType, body string }

// repeatsAll repeats the body of the request as it is, and as a text.
func repeatsAll(sent []byte) reply {
	body, _ := json.Marshal(map[string]any{"request": string(sent), "errors": json.RawMessage(sent)})
	return reply{"application/json", string(body)}
}

// repeatsInHTML repeats the body of the request in a page.
func repeatsInHTML(sent []byte) reply {
	return reply{"text/html", "<html><title>Bad</title><body>" + string(sent) + "</body></html>"}
}

// repeatsPassword repeats the root password under a key that no document has.
func repeatsPassword([]byte) reply {
	body, _ := json.Marshal(map[string]any{"wanted": []string{secrets["root_password"]}})
	return reply{"application/json", string(body)}
}

// quotesLine quotes one line of the script.
func quotesLine([]byte) reply {
	line := strings.Split(secrets["firstboot_script"], "\n")[1]
	body, _ := json.Marshal(map[string]any{"firstboot_script": []string{"line 2 cannot be run: " + line}})
	return reply{"application/json", string(body)}
}

// echo is a service that refuses a request in the words of an answer.
type echo struct {
	service http.Handler

	mu      sync.Mutex
	refused string
	answer  func(sent []byte) reply
}

// refuse sets the request to refuse, and how. An empty one refuses nothing.
func (e *echo) refuse(request string, answer func([]byte) reply) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused, e.answer = request, answer
}

// ServeHTTP implements http.Handler.
func (e *echo) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	request, say := e.refused, e.answer
	e.mu.Unlock()
	method, end, refuses := strings.Cut(request, " ")
	if !refuses || r.Method != method || !strings.HasSuffix(r.URL.Path, end) {
		e.service.ServeHTTP(w, r)
		return
	}
	sent, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	said := say(bytes.TrimSpace(sent))
	w.Header().Set("Content-Type", said.contentType)
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, said.body)
}
