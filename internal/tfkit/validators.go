// SPDX-License-Identifier: MPL-2.0

package tfkit

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Text is a validator for strings of which the framework's library has no validator.
type Text struct {
	Accepts string // what is accepted, for documentation and messages: "a positive duration"
	Summary string // of the error: "Invalid …"
	Valid   func(text string) bool
	Secret  bool // the message does not repeat the value
}

var _ validator.String = Text{}

// Description returns what is accepted.
func (v Text) Description(context.Context) string { return "must be " + v.Accepts }

// MarkdownDescription returns what is accepted.
func (v Text) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateString refuses any other value.
func (v Text) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if !Given(req.ConfigValue) || v.Valid(req.ConfigValue.ValueString()) {
		return
	}
	got := fmt.Sprintf(", got: %q", req.ConfigValue.ValueString())
	if v.Secret {
		got = ""
	}
	advice := ""
	if req.ConfigValue.ValueString() == "" {
		advice = " To set nothing, leave an optional argument out, or set it to null."
	}
	resp.Diagnostics.AddAttributeError(req.Path, v.Summary, fmt.Sprintf("%s must be %s%s.%s", req.Path, v.Accepts, got, advice))
}

// Requires refuses a block without an attribute. The schema cannot: it would require the attribute without the block as
// well. The library's validator searches the whole configuration, which is slow.
type Requires struct {
	Attribute string
}

var _ validator.Object = Requires{}

// Description implements validator.Object.
func (v Requires) Description(context.Context) string { return "must have " + v.Attribute }

// MarkdownDescription implements validator.Object.
func (v Requires) MarkdownDescription(ctx context.Context) string { return v.Description(ctx) }

// ValidateObject implements validator.Object.
func (v Requires) ValidateObject(_ context.Context, req validator.ObjectRequest, resp *validator.ObjectResponse) {
	if Given(req.ConfigValue) && req.ConfigValue.Attributes()[v.Attribute].IsNull() {
		at := req.Path.AtName(v.Attribute)
		resp.Diagnostics.AddAttributeError(at, "Missing "+v.Attribute,
			fmt.Sprintf("The block %s needs %s, which is absent or null. Set it, or remove the block.",
				req.Path, v.Attribute))
	}
}

// NotEmpty refuses an empty text, which is not the same as no value.
var NotEmpty = Text{
	Accepts: "a text that is not empty",
	Summary: "Invalid text", Valid: func(text string) bool { return text != "" },
}

// NumericID refuses anything but a numeric ID, as do MachineID and DiscID, which name an expression that has one.
var (
	NumericID = numericID("1234")
	MachineID = numericID("cloudserver_vm.web.id")
	DiscID    = numericID(`cloudserver_vm.web.disc_ids["vda"]`)
)

func numericID(example string) Text {
	return Text{
		Accepts: "a numeric ID, such as " + example, Summary: "Invalid ID",
		Valid: func(text string) bool {
			_, err := cloudserver.ParseID(text)
			return err == nil
		},
	}
}

// Advised is a validator whose messages end with advice.
type Advised struct {
	validator.Int64
	Advice string
}

// ValidateInt64 implements validator.Int64.
func (v Advised) ValidateInt64(ctx context.Context, req validator.Int64Request, resp *validator.Int64Response) {
	var refused validator.Int64Response
	v.Int64.ValidateInt64(ctx, req, &refused)
	for _, d := range refused.Diagnostics {
		resp.Diagnostics.AddAttributeError(req.Path, d.Summary(), Sentence(d.Detail())+" "+v.Advice)
	}
}

// PathName refuses a name that cannot be part of a request's path, such as ".." or one with a slash.
var PathName = Text{
	Accepts: `a name without slashes that is neither empty nor "." nor ".."`, Summary: "Invalid name",
	Valid: func(text string) bool { return cloudserver.CheckName(text) == nil },
}

// RefuseDigits reports an error for a new name that consists of digits: the service accepts names and IDs in a path, so
// a request for one object could reach another. what is the kind of object. Objects that already have such a name can
// be imported and managed.
func RefuseDigits(before, now types.String, at path.Path, what string, diags *diag.Diagnostics) {
	if !Given(now) || !cloudserver.IsDigits(now.ValueString()) || before.Equal(now) {
		return
	}
	diags.AddAttributeError(at, "Invalid name of a "+what,
		fmt.Sprintf("The name %q consists of digits only, and could be taken for the ID of another %s. Add a letter to it.",
			now.ValueString(), what))
}

// The families of IP addresses. AnyIP accepts both.
const (
	AnyIP = "IP"
	IPv4  = "IPv4"
	IPv6  = "IPv6"
)

// IPAddress accepts one IP address of a family. Use SameAddress to compare addresses.
func IPAddress(family string) validator.String {
	example := ""
	if family == AnyIP {
		example = ", such as cloudserver_vm.web.ipv4_address"
	}
	return Text{
		Accepts: "one " + family + " address without a prefix length" + example, Summary: "Invalid " + family + " address",
		Valid: func(text string) bool {
			address, err := netip.ParseAddr(text)
			return err == nil && !address.Is4In6() && address.Zone() == "" &&
				(family == AnyIP || address.Is4() == (family == IPv4))
		},
	}
}

// SameAddress reports whether two texts are the same IP address. An IPv4-mapped IPv6 address equals the IPv4 address. A
// text that is not an address equals only itself.
func SameAddress(a, b string) bool {
	x, errX := netip.ParseAddr(a)
	y, errY := netip.ParseAddr(b)
	if errX != nil || errY != nil {
		return a == b
	}
	return x.Unmap() == y.Unmap()
}
