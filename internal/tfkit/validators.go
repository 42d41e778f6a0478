package tfkit

import (
	"context"
	"fmt"
	"net/netip"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

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
	resp.Diagnostics.AddAttributeError(req.Path, v.Summary, fmt.Sprintf("%s must be %s%s.", req.Path, v.Accepts, got))
}

// OneOf accepts one of a few words. Its message also suits the command line, and that of the framework's library does
// not.
func OneOf(words ...string) Text {
	return Text{
		Accepts: "one of " + Quoted(words), Summary: "Invalid value",
		Valid: func(text string) bool { return slices.Contains(words, text) },
	}
}

// NumericID refuses anything but a numeric ID.
var NumericID = Text{
	Accepts: "a numeric ID, such as 1234", Summary: "Invalid ID",
	Valid: func(text string) bool {
		_, err := cloudserver.ParseID(text)
		return err == nil
	},
}

// PathName refuses a name that cannot be part of a request's path, such as ".." or one with a slash.
var PathName = Text{
	Accepts: "a name without slashes, which is neither empty nor . nor ..", Summary: "Invalid name",
	Valid: func(text string) bool { return cloudserver.CheckName(text) == nil },
}

// The families of IP addresses. AnyIP accepts both.
const (
	AnyIP = "IP"
	IPv4  = "IPv4"
	IPv6  = "IPv6"
)

// IPAddress accepts one IP address of a family. Use SameAddress to compare addresses.
func IPAddress(family string) validator.String {
	return Text{
		Accepts: "one " + family + " address without a prefix length", Summary: "Invalid " + family + " address",
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
