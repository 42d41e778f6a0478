package cloudserver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func at(attribute, message string) cloudserver.Problem {
	return cloudserver.Problem{Attribute: attribute, Index: -1, Message: message}
}

const refusedPassword = "marker<root>&1"

// refusal is what a reimage, with secrets in its request, is refused with.
func refusal(t testing.TB, status int, contentType, body string) *cloudserver.Error {
	t.Helper()
	client := newClient(t, serve(answer(status, body, "Content-Type", contentType)), withRetries(0))
	err := client.ReimageVirtualMachine(t.Context(), machine, cloudserver.Reimage{
		Distribution: "bookworm", RootPassword: refusedPassword, FirstbootScript: "#!/bin/sh\necho \"marker\"",
	})
	var refused *cloudserver.Error
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want an *Error", err)
	}
	return refused
}

func TestErrorBodies(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		contentType, body, message string
		problems                   []cloudserver.Problem
	}{
		"hash of lists": {"application/json", `{"name":["is too short (minimum is 3 characters)","has already been taken"],"cores":["is not a number"]}`, "cores is not a number; name is too short (minimum is 3 characters); name has already been taken", []cloudserver.Problem{at("cores", "is not a number"), at("name", "is too short (minimum is 3 characters)"), at("name", "has already been taken")}},
		"hash of texts": {"application/json", `{"name":"can't be blank"}`, "name can't be blank", []cloudserver.Problem{at("name", "can't be blank")}},
		"discs": {"application/json", `{"discs":[{},{"size":["must be greater than or equal to 50"],"label":"can't be blank"}]}`, "discs[1].label can't be blank; discs[1].size must be greater than or equal to 50", []cloudserver.Problem{
			{Attribute: "discs", Index: 1, Field: "label", Message: "can't be blank"}, {Attribute: "discs", Index: 1, Field: "size", Message: "must be greater than or equal to 50"},
		}},
		"all discs":         {"application/json", `{"discs":["is too long (maximum is 8)"]}`, "discs is too long (maximum is 8)", []cloudserver.Problem{at("discs", "is too long (maximum is 8)")}},
		"object of fields":  {"application/json", `{"reimage":{"distribution":["is not included in the list"]}}`, "reimage.distribution is not included in the list", []cloudserver.Problem{{Attribute: "reimage", Index: -1, Field: "distribution", Message: "is not included in the list"}}},
		"machine around":    {"application/json", `{"virtual_machine":{"name":["has already been taken"]}}`, "name has already been taken", []cloudserver.Problem{at("name", "has already been taken")}},
		"errors around":     {"application/json", `{"errors":{"name":["has already been taken"]}}`, "name has already been taken", []cloudserver.Problem{at("name", "has already been taken")}},
		"list of errors":    {"application/json", `{"errors":["no","never"]}`, "no; never", []cloudserver.Problem{at("", "no"), at("", "never")}},
		"message":           {"application/json", `{"error":"not today"}`, "not today", []cloudserver.Problem{at("", "not today")}},
		"list":              {"application/json", `["no","never"]`, "no; never", []cloudserver.Problem{at("", "no"), at("", "never")}},
		"JSON text":         {"application/json", `"not today"`, "not today", []cloudserver.Problem{at("", "not today")}},
		"plain":             {"text/plain", "  machine is\n\ton ", "machine is on", []cloudserver.Problem{at("", "machine is on")}},
		"nothing":           {"application/json", "", "", nil},
		"odd JSON":          {"application/json", `{"name":null,"cores":5,"discs":[null,[{}],3],"x":{"y":{"z":"deep"}}}`, "", nil},
		"cut JSON":          {"application/json", `{"name":["has`, `{"name":["has`, []cloudserver.Problem{at("", `{"name":["has`)}},
		"HTML with title":   {"text/html; charset=utf-8", "<html><head><title>502 Bad\nGateway</title></head><body><h1>nginx</h1></body></html>", "502 Bad Gateway", []cloudserver.Problem{at("", "502 Bad Gateway")}},
		"HTML without":      {"", "<!DOCTYPE html><body><style>p{}</style><p>Not &amp; found</p><script>x()</script></body>", "Not & found", []cloudserver.Problem{at("", "Not & found")}},
		"terminal codes":    {"text/plain", "a\x1b[31mb\u202ec\xff", "a [31mb c\uFFFD", []cloudserver.Problem{at("", "a [31mb c\uFFFD")}},
		"echoed password":   {"text/plain", "cannot set marker<root>&1 here", "cannot set (hidden) here", []cloudserver.Problem{at("", "cannot set (hidden) here")}},
		"echoed cut JSON":   {"application/json", `{"firstboot_script":"#!/bin/sh\necho \"marker\"","x`, "(hidden)", []cloudserver.Problem{at("", "(hidden)")}},
		"echoed token":      {"application/json", `{"error":"apikey.test may not"}`, "(hidden) may not", []cloudserver.Problem{at("", "(hidden) may not")}},
		"echoed request":    {"application/json", `{"error":"no","request":{"reimage":{"root_password":"other-marker"}},"root_password":"other-marker"}`, "no; root_password is not accepted", []cloudserver.Problem{at("", "no"), at("root_password", "is not accepted")}},
		"about the secret":  {"application/json", `{"root_password":["is too short (minimum is 8 characters)"]}`, "root_password is too short (minimum is 8 characters)", []cloudserver.Problem{at("root_password", "is too short (minimum is 8 characters)")}},
		"echoed in a field": {"application/json", `{"firstboot_script":["#!/bin/sh\necho \"marker\" is bad"]}`, "firstboot_script (hidden) is bad", []cloudserver.Problem{at("firstboot_script", "(hidden) is bad")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused := refusal(t, 400, test.contentType, test.body)
			if refused.Message != test.message {
				t.Errorf("message %q, want %q", refused.Message, test.message)
			}
			if diff := cmp.Diff(test.problems, refused.Problems); diff != "" {
				t.Errorf("problems (-want +got)\n%s", diff)
			}
			if strings.Contains(refused.Error(), "marker") {
				t.Errorf("the error shows a secret: %v", refused)
			}
		})
	}
}

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	const call = "POST /accounts/acme/groups/default/virtual_machines/7/reimage answered "
	for want, refused := range map[string]*cloudserver.Error{
		call + "599":             refusal(t, 599, "", ""),
		call + "502 Bad Gateway": refusal(t, 502, "text/html", "<title>502 Bad Gateway</title>"), // once
	} {
		if refused.Error() != want {
			t.Errorf("got %q, want %q", refused, want)
		}
	}
}

func TestErrorPredicates(t *testing.T) {
	t.Parallel()
	missing := refusal(t, 404, "", "")
	if !cloudserver.IsNotFound(missing) || cloudserver.IsUnauthorized(missing) || cloudserver.StatusCode(missing) != 404 {
		t.Error("a 404 is not recognised")
	}
	if page := refusal(t, 404, "text/html", "<html><title>Not Found</title></html>"); cloudserver.IsNotFound(page) {
		t.Error("the page of a proxy counts as not found")
	}
	if cloudserver.StatusCode(errReset) != 0 || cloudserver.IsNotFound(nil) || cloudserver.IsUnauthorized(nil) {
		t.Error("other errors have a status")
	}
	taken := refusal(t, 400, "", `{"name":["Has already been taken"]}`)
	if !taken.Has("name", "already been taken") || taken.Has("cores", "already been taken") || taken.Has("name", "blank") {
		t.Error("Has does not tell problems apart")
	}
}

// TestReceivedSecretIsHidden: a password that the service has chosen, in what it
// answers later.
func TestReceivedSecretIsHidden(t *testing.T) {
	t.Parallel()
	client := newClient(t, serve(answer(200, `{"reimage":{"root_password":"zq-chosen-by-the-service"}}`), answer(400, "not zq-chosen-by-the-service")))
	for _, want := range []string{"<nil>", "400 Bad Request: not (hidden)"} {
		if err := client.ReimageVirtualMachine(t.Context(), machine, cloudserver.Reimage{}); !strings.HasSuffix(fmt.Sprint(err), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
