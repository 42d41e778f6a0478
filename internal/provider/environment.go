package provider

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Environment returns what the provider would use with an empty provider block:
// the CLOUDSERVER_* variables and the defaults. An error is in the words of the
// provider's diagnostics.
func Environment(version string) (config cloudserver.Config, account, group string, err error) {
	var diags diag.Diagnostics
	s := resolve(model{}, &diags)
	var problems []string
	for _, d := range diags.Errors() {
		problems = append(problems, d.Summary()+": "+d.Detail())
	}
	if len(problems) > 0 {
		return config, "", "", errors.New(strings.Join(problems, "\n"))
	}
	s.client.UserAgent = "terraform-provider-cloudserver/" + version
	return s.client, s.account.ValueString(), s.group.ValueString(), nil
}
