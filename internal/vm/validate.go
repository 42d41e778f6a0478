package vm

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// publicKey refuses a private key, which a slip of the path would publish.
type publicKey struct{}

var _ validator.String = publicKey{}

// Description says what is accepted.
func (publicKey) Description(context.Context) string {
	return "the text of authorized_keys, without any private key"
}

// MarkdownDescription says what is accepted.
func (v publicKey) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString never repeats the key.
func (publicKey) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if strings.Contains(req.ConfigValue.ValueString(), "PRIVATE KEY-----") {
		resp.Diagnostics.AddAttributeError(req.Path, "This is a private key",
			"ssh_public_key takes public keys, and is stored in the state and shown in plans. Give the file that ends in .pub.")
	}
}

// megabytes warns of a number that was probably meant in gigabytes. The service
// may well take it.
type megabytes struct{ least int64 }

var _ validator.Int64 = megabytes{}

// Description says what is warned of.
func (v megabytes) Description(context.Context) string {
	return fmt.Sprintf("megabytes; a warning below %d", v.least)
}

// MarkdownDescription says what is warned of.
func (v megabytes) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateInt64 leaves what is no size at all to others.
func (v megabytes) ValidateInt64(_ context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	value := req.ConfigValue.ValueInt64()
	if !tfkit.Given(req.ConfigValue) || value < 1 || value >= v.least {
		return
	}
	resp.Diagnostics.AddAttributeWarning(req.Path, "Are these gigabytes?",
		fmt.Sprintf("%s is in megabytes, and %d is hardly enough for anything. For %d gigabytes give %d, or provider::cloudserver::megabytes(\"%dGiB\").",
			req.Path, value, value, value*1024, value))
}
