// SPDX-License-Identifier: MPL-2.0

package provider

import (
	"context"
	"fmt"
	"regexp"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// wholeNumbers replaces the framework's error for a number with a fraction, which blames the provider, by one that says what
// to write instead.
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

func explainFractions(diags []*tfprotov6.Diagnostic) {
	for _, d := range diags {
		if found := fraction.FindStringSubmatch(d.Detail); found != nil {
			d.Summary = "Invalid number"
			d.Detail = fmt.Sprintf("It has to be a whole number, and %s has a fraction. Sizes are in megabytes: round what "+
				"is calculated, as in floor(100000 / 3).", found[1])
		}
	}
}
