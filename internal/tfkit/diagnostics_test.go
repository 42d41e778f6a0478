package tfkit_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

const (
	asked       = "POST /accounts/demo/groups/default/vm_create answered "
	credentials = "Set or correct the credentials: token, token_file, or username and password, in the provider block, or CLOUDSERVER_TOKEN, CLOUDSERVER_TOKEN_FILE, or CLOUDSERVER_USERNAME and CLOUDSERVER_PASSWORD, in the environment. " +
		"A session of login ends after an hour, and one that was opened without a validity five minutes after its last use; an API key, or a username and password, lasts for any run."
)

const limit = "A limit of the account is reached: remove what is no longer needed, or ask the service's operator to raise the limit."

// refusal returns an answer of the service. problems alternates attributes and messages.
func refusal(status int, message string, problems ...string) error {
	err := &cloudserver.Error{Method: "POST", Path: "/accounts/demo/groups/default/vm_create", StatusCode: status, Message: message}
	for i := 0; i+1 < len(problems); i += 2 {
		err.Problems = append(err.Problems, cloudserver.Problem{Attribute: problems[i], Index: -1, Message: problems[i+1]})
	}
	return err
}

// rootOf returns the path of an attribute that the test's resource has.
func rootOf(problem cloudserver.Problem) (path.Path, bool) {
	known := map[string]bool{"name": true, "zone_name": true, "ips": true}
	return path.Root(problem.Attribute), known[problem.Attribute]
}

// A refusal with thousands of problems does not flood the terminal.
func TestDiagnosticsOfOneErrorAreBounded(t *testing.T) {
	t.Parallel()
	for count, want := range map[int]int{1: 1, 19: 19, 20: 20, 21: 20, 5000: 20} {
		var problems []string
		for i := range count {
			problems = append(problems, "name", fmt.Sprintf("is invalid for reason %d", i))
		}
		var diags diag.Diagnostics
		tfkit.AddError(&diags, "Cannot do it", refusal(400, "", problems...), rootOf, "")
		if len(diags) != want {
			t.Errorf("%d problems became %d diagnostics, want %d", count, len(diags), want)
		}
		if last := diags[len(diags)-1].Detail(); count > want && last != fmt.Sprintf("The service names these problems and %d more.", count-want+1) {
			t.Errorf("the last of %d says %q", count, last)
		}
	}
}
