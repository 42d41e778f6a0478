// SPDX-License-Identifier: MPL-2.0

package cloudserver_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

func at(attribute, message string) cloudserver.Problem {
	return cloudserver.Problem{Attribute: attribute, Index: -1, Message: message}
}

// refusal returns the error of a reimage without secrets.
func refusal(t testing.TB, status int, contentType, body string) *cloudserver.Error {
	t.Helper()
	return refusalOf(t, cloudserver.Reimage{Distribution: "bookworm"}, status, contentType, body)
}

func refusalOf(t testing.TB, image cloudserver.Reimage, status int, contentType, body string) *cloudserver.Error {
	t.Helper()
	client := newClient(t, serve(answer(status, body, "Content-Type", contentType)), withRetries(0))
	var refused *cloudserver.Error
	if err := client.ReimageVirtualMachine(t.Context(), machine, image); !errors.As(err, &refused) {
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
		"hash of lists": {contentType: "application/json", body: `{"name":["is too short (minimum is 3 characters)","has already been taken"],"cores":["is not a number"]}`, message: "cores is not a number; name is too short (minimum is 3 characters); name has already been taken", problems: []cloudserver.Problem{at("cores", "is not a number"), at("name", "is too short (minimum is 3 characters)"), at("name", "has already been taken")}},
		"hash of texts": {contentType: "application/json", body: `{"name":"can't be blank"}`, message: "name can't be blank", problems: []cloudserver.Problem{at("name", "can't be blank")}},
		"discs": {contentType: "application/json", body: `{"discs":[{},{"size":["must be greater than or equal to 50"],"label":"can't be blank"}]}`, message: "discs[1].label can't be blank; discs[1].size must be greater than or equal to 50", problems: []cloudserver.Problem{
			{Attribute: "discs", Index: 1, Field: "label", Message: "can't be blank"}, {Attribute: "discs", Index: 1, Field: "size", Message: "must be greater than or equal to 50"},
		}},
		"all discs":        {contentType: "application/json", body: `{"discs":["is too long (maximum is 8)"]}`, message: "discs is too long (maximum is 8)", problems: []cloudserver.Problem{at("discs", "is too long (maximum is 8)")}},
		"object of fields": {contentType: "application/json", body: `{"reimage":{"distribution":["is not included in the list"]}}`, message: "reimage.distribution is not included in the list", problems: []cloudserver.Problem{{Attribute: "reimage", Index: -1, Field: "distribution", Message: "is not included in the list"}}},
		"machine around":   {contentType: "application/json", body: `{"virtual_machine":{"name":["has already been taken"]}}`, message: "name has already been taken", problems: []cloudserver.Problem{at("name", "has already been taken")}},
		"errors around":    {contentType: "application/json", body: `{"errors":{"name":["has already been taken"]}}`, message: "name has already been taken", problems: []cloudserver.Problem{at("name", "has already been taken")}},
		"list of errors":   {contentType: "application/json", body: `{"errors":["no","never"]}`, message: "no; never", problems: []cloudserver.Problem{at("", "no"), at("", "never")}},
		"message":          {contentType: "application/json", body: `{"error":"not today"}`, message: "not today", problems: []cloudserver.Problem{at("", "not today")}},
		"list":             {contentType: "application/json", body: `["no","never"]`, message: "no; never", problems: []cloudserver.Problem{at("", "no"), at("", "never")}},
		"JSON text":        {contentType: "application/json", body: `"not today"`, message: "not today", problems: []cloudserver.Problem{at("", "not today")}},
		"plain":            {contentType: "text/plain", body: "  machine is\n\ton ", message: "machine is on", problems: []cloudserver.Problem{at("", "machine is on")}},
		"nothing":          {contentType: "application/json"},
		"odd JSON":         {contentType: "application/json", body: `{"name":null,"cores":5,"discs":[null,[{}],3],"x":{"y":{"z":"deep"}}}`},
		"cut JSON":         {contentType: "application/json", body: `{"name":["has`, message: `{"name":["has`, problems: []cloudserver.Problem{at("", `{"name":["has`)}},
		"HTML with title":  {contentType: "text/html; charset=utf-8", body: "<html><head><title>502 Bad\nGateway</title></head><body><h1>nginx</h1></body></html>", message: "502 Bad Gateway", problems: []cloudserver.Problem{at("", "502 Bad Gateway")}},
		"HTML without":     {body: "<!DOCTYPE html><body><style>p{}</style><p>Not &amp; found</p><script>x()</script></body>", message: "Not & found", problems: []cloudserver.Problem{at("", "Not & found")}},
		"terminal codes":   {contentType: "text/plain", body: "a\x1b[31mb\u202ec\xff", message: "a [31mb c\uFFFD", problems: []cloudserver.Problem{at("", "a [31mb c\uFFFD")}},
		"echoed token":     {contentType: "application/json", body: `{"error":"apikey.test may not"}`, message: "(hidden) may not", problems: []cloudserver.Problem{at("", "(hidden) may not")}},
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
		})
	}
}

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	const call = "POST /accounts/acme/groups/default/virtual_machines/7/reimage answered "
	for want, refused := range map[string]*cloudserver.Error{
		call + "599":             refusal(t, 599, "", ""),
		call + "502 Bad Gateway": refusal(t, 502, "text/html", "<title>502 Bad Gateway</title>"), // not repeated
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
