// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"cmp"
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// wholeNumbers replaces the framework's error for a number with a fraction, which blames the provider, with an error that
// asks for a whole number.
type wholeNumbers struct{ Server }

// ValidateProviderConfig implements tfprotov6.ProviderServer.
func (s wholeNumbers) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	resp, err := s.Server.ValidateProviderConfig(ctx, req)
	if err == nil {
		explainFractions(resp.Diagnostics)
	}
	return resp, err
}

// ValidateResourceConfig implements tfprotov6.ResourceServer.
func (s wholeNumbers) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	resp, err := s.Server.ValidateResourceConfig(ctx, req)
	if err == nil {
		explainFractions(resp.Diagnostics)
	}
	return resp, err
}

// fraction finds the number in the framework's message.
var fraction = regexp.MustCompile(`(-?[0-9][0-9.e+-]*)\)? is not an integer`)

// counted is what a number counts, by the attribute or block at which the framework reports it.
var counted = map[string]string{
	"disc":             "size in the block disc has to be a whole number of megabytes",
	"interval_seconds": "interval_seconds has to be a whole number of seconds",
	"memory":           "memory has to be a whole number of megabytes",
	"ready":            "port in the block ready has to be a whole number",
}

func explainFractions(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		found := fraction.FindStringSubmatch(d.Detail)
		if found == nil {
			continue
		}
		at := ""
		if steps := d.Attribute.Steps(); len(steps) > 0 {
			name, _ := steps[0].(tftypes.AttributeName)
			at = string(name)
		}
		d.Summary = "Invalid number"
		d.Detail = fmt.Sprintf("%s, and %s has a fraction. Round what is calculated, as in floor(100000 / 3).",
			cmp.Or(counted[at], at+" has to be a whole number"), found[1])
	}
}
