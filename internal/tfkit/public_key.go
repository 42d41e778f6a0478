package tfkit

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// PublicKey refuses a private key, which a slip of the path would publish.
type PublicKey struct{}

var _ validator.String = PublicKey{}

// Description returns what is accepted.
func (PublicKey) Description(context.Context) string {
	return "must be the text of authorized_keys, without a private key"
}

// MarkdownDescription returns what is accepted.
func (v PublicKey) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses a private key, and never repeats it.
func (PublicKey) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if strings.Contains(req.ConfigValue.ValueString(), "PRIVATE KEY-----") {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid public key",
			"This is a private key. ssh_public_key is stored in the state and shown in plans: use the file that ends in .pub.")
	}
}
