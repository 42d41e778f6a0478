// SPDX-License-Identifier: MPL-2.0

package tfkit_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func TestValidators(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		validator validator.String
		accepts   []string
		refuses   []string
	}{
		"numeric ID": {tfkit.NumericID, []string{"1", "1234"}, []string{"", "0", "007", "-5", "12x", " 12", "99999999999999999999"}},
		"path name":  {tfkit.PathName, []string{"web", "team.a", "web 1"}, []string{"", ".", "..", "a/b"}},
		"duration":   {tfkit.PositiveDuration, []string{"90s", "1h30m"}, []string{"", "0s", "-1m", "5", "1 h"}},
		"IPv4":       {tfkit.IPAddress(tfkit.IPv4), []string{"192.0.2.10"}, []string{"2001:db8::1", "192.0.2.10/24", "::ffff:192.0.2.10"}},
		"IPv6":       {tfkit.IPAddress(tfkit.IPv6), []string{"2001:db8::1"}, []string{"192.0.2.10", "[2001:db8::1]", "fe80::1%eth0"}},
		"IP":         {tfkit.IPAddress(tfkit.AnyIP), []string{"192.0.2.10", "2001:db8::1"}, []string{"web1"}},
	} {
		check := func(value types.String) diag.Diagnostics {
			var resp validator.StringResponse
			test.validator.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("x"), ConfigValue: value}, &resp)
			return resp.Diagnostics
		}
		for _, text := range test.accepts {
			if got := check(types.StringValue(text)); len(got) > 0 {
				t.Errorf("%s refuses %q: %v", name, text, got)
			}
		}
		for _, text := range test.refuses {
			if got := check(types.StringValue(text)); !got.HasError() || !strings.Contains(got[0].Detail(), "x must be ") {
				t.Errorf("%s: %q: %v", name, text, got)
			}
		}
		for _, value := range []types.String{types.StringNull(), types.StringUnknown()} {
			if got := check(value); len(got) > 0 {
				t.Errorf("%s refuses %s: %v", name, value, got)
			}
		}
	}
}

// The message about a secret does not repeat it.
func TestSecretValidator(t *testing.T) {
	t.Parallel()
	secret := tfkit.Text{Accepts: "short", Summary: "Invalid secret", Valid: func(string) bool { return false }, Secret: true}
	var resp validator.StringResponse
	secret.ValidateString(t.Context(), validator.StringRequest{ConfigValue: types.StringValue("hunter22")}, &resp)
	if !resp.Diagnostics.HasError() || strings.Contains(resp.Diagnostics[0].Detail(), "hunter22") {
		t.Errorf("got %v", resp.Diagnostics)
	}
}

func TestSameAddress(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"2001:db8::1", "2001:DB8:0::1", true},
		{"192.0.2.1", "::ffff:192.0.2.1", true},
		{"192.0.2.1", "192.0.2.2", false},
		{"x", "x", true},
		{"x", "192.0.2.1", false},
	} {
		if got := tfkit.SameAddress(test.a, test.b); got != test.same {
			t.Errorf("%s and %s: got %t", test.a, test.b, got)
		}
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Duration{"90s": 90 * time.Second, "": time.Hour, "-1s": time.Hour, "x": time.Hour} {
		timeouts := types.ObjectValueMust(map[string]attr.Type{"create": types.StringType},
			map[string]attr.Value{"create": tfkit.StringOrNull(text)})
		if got := tfkit.Timeout(timeouts, "create", time.Hour); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func refusal(status int, problems ...cloudserver.Problem) error {
	return &cloudserver.Error{
		Method: http.MethodPost, Path: "/x", StatusCode: status, Message: "no", Problems: problems,
	}
}

// Each problem that the service names is an error at the attribute to blame.
func TestAddError(t *testing.T) {
	t.Parallel()
	attributes := tfkit.AttributesOf(map[string]string{"name": "name"})
	name := cloudserver.Problem{Attribute: "name", Index: -1, Message: "has already been taken"}
	other := cloudserver.Problem{Attribute: "colour", Index: -1, Message: "can't be blank"}
	for what, test := range map[string]struct {
		err  error
		want []string // path, phrase
	}{
		"no answer":          {errors.New("connection refused"), []string{"", "Connection refused. Advice."}},
		"unknown attributes": {refusal(400, other), []string{"", "Advice."}},
		"two problems":       {refusal(400, name, other), []string{"name", "name has already been taken", "", "colour can't be blank"}},
		"credentials":        {refusal(401), []string{"", "Set or correct token"}},
		"permission":         {&cloudserver.Error{StatusCode: 403}, []string{"", "These credentials lack permission"}},
		"a quota":            {refusal(403), []string{"", "no. Unless this answer names another reason, these credentials lack permission"}},
		"an answer cut off":  {&cloudserver.TransportError{Err: io.ErrUnexpectedEOF, Sent: true}, []string{"", "Run the same command again later."}},
		"a failure":          {refusal(503), []string{"", "Run the same command again later."}},
	} {
		var diags diag.Diagnostics
		tfkit.AddError(&diags, "Cannot create group", test.err, attributes, "Advice.")
		if len(diags) != len(test.want)/2 {
			t.Fatalf("%s: got %v", what, diags)
		}
		for i, d := range diags {
			at := ""
			if blamed, ok := d.(diag.DiagnosticWithPath); ok {
				at = blamed.Path().String()
			}
			if at != test.want[2*i] || !strings.Contains(d.Detail(), test.want[2*i+1]) || d.Summary() != "Cannot create group" {
				t.Errorf("%s: got %s: %s", what, at, d.Detail())
			}
		}
	}
}

// A failed check of a plan is an error if the apply would fail in the same way, and a warning otherwise.
func TestAddPlanCheckError(t *testing.T) {
	t.Parallel()
	for status, isError := range map[int]bool{401: true, 403: true, 404: true, 500: false, 503: false} {
		var diags diag.Diagnostics
		tfkit.AddPlanCheckError(&diags, refusal(500), refusal(status))
		if len(diags) != 1 || diags.HasError() != isError {
			t.Errorf("%d: got %v", status, diags)
		}
	}
}

func TestWithAction(t *testing.T) {
	t.Parallel()
	for noActions, want := range map[bool]string{
		false: `with the action cloudserver_vm_power (virtual_machine_id = "7", state = "stop")`,
		true:  "with terraform-provider-cloudserver invoke vm_power virtual_machine_id=7 state=stop (see The program in the guide Install and upgrade)",
	} {
		data := &tfkit.ProviderData{NoActions: noActions}
		if got := data.WithAction("vm_power", "virtual_machine_id=7", "state=stop"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestMatchesPattern(t *testing.T) {
	t.Parallel()
	for pattern, matches := range map[string]bool{"web*": true, "web?": true, "web[1-3]": true, "web[!1]": false, "eb1": false, "*1": true} {
		if got, err := tfkit.MatchesPattern(pattern, "web1"); got != matches || err != nil {
			t.Errorf("%s: got %t, %v", pattern, got, err)
		}
	}
	if _, err := tfkit.MatchesPattern("web[", ""); err == nil {
		t.Error("a pattern without its ] is accepted")
	}
}
