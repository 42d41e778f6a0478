package tfkit_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/operation"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func TestStringValidators(t *testing.T) {
	t.Parallel()
	const notTime = " must be a positive duration: a number and a unit, such as 90s, 2m or 1h30m."
	for _, test := range []struct {
		validator validator.String
		value     types.String
		refused   string // the detail
	}{
		{validator: tfkit.PositiveDuration, value: types.StringValue("90s")},
		{validator: tfkit.PositiveDuration, value: types.StringValue("1h30m")},
		{validator: tfkit.PositiveDuration, value: types.StringValue("0s"), refused: `"0s"` + notTime},
		{validator: tfkit.PositiveDuration, value: types.StringValue("-2m"), refused: `"-2m"` + notTime},
		{validator: tfkit.PositiveDuration, value: types.StringValue("90"), refused: `"90"` + notTime},
		{
			validator: tfkit.PositiveDuration,
			value:     types.StringValue("2562048h"),
			refused:   `"2562048h" is too long: the longest duration is 2562047h.`,
		},
		{validator: tfkit.PositiveDuration, value: types.StringValue("soon"), refused: `"soon"` + notTime},
		{validator: tfkit.PositiveDuration, value: types.StringValue(""), refused: `""` + notTime},
		{validator: tfkit.PositiveDuration, value: types.StringNull()},
		{validator: tfkit.PositiveDuration, value: types.StringUnknown()},
		{validator: tfkit.PathName, value: types.StringValue("web1")},
		{
			validator: tfkit.PathName,
			value:     types.StringValue(".."),
			refused:   "disc[1].label must be neither \".\" nor \"..\", because it becomes part of the path of a request.",
		},
		{
			validator: tfkit.PathName,
			value:     types.StringValue("a/b"),
			refused:   "disc[1].label must not contain / or \\, because it becomes part of the path of a request.",
		},
		{
			validator: tfkit.PathName,
			value:     types.StringValue("/dev/vda"),
			refused:   "disc[1].label must not contain / or \\, because it becomes part of the path of a request. Did you mean \"vda\"?",
		},
		{validator: tfkit.NotEmpty, value: types.StringValue(" ")}, // the service decides
		{
			validator: tfkit.NotEmpty,
			value:     types.StringValue(""),
			refused:   "disc[1].label is an empty string. Set a value, or, if the argument is optional, remove it or set it to null.",
		},
		{validator: tfkit.NumericID("; use its ID"), value: types.StringValue("123456789012345678")},
		{
			validator: tfkit.NumericID("; use its ID"),
			value:     types.StringValue("vda"),
			refused:   `disc[1].label is "vda". It must be a numeric ID, such as 1234; use its ID.`,
		},
		{validator: tfkit.NumericID(""), value: types.StringValue("12345678")},
		{
			validator: tfkit.NumericID(""),
			value:     types.StringValue("8lb32h9f"),
			refused:   `disc[1].label is "8lb32h9f". It must be a numeric ID, such as 1234; to mock a resource, set a numeric id in the defaults of its mock_resource or mock_data.`,
		},
		{
			validator: tfkit.NumericID(""),
			value:     types.StringValue("01"),
			refused:   `disc[1].label is "01". It must be a numeric ID, such as 1234.`,
		},
		{
			validator: tfkit.NumericID(""),
			value:     types.StringValue("12345678901234567890"),
			refused:   `disc[1].label is "12345678901234567890". It must be a numeric ID, such as 1234.`,
		},
		{validator: operation.PublicKeys, value: types.StringValue("ssh-ed25519 AAAA me@example.com")},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue(" \n# me@example.com\n"),
			refused:   "The text has no key: it is empty or has only comments. Set the contents of a .pub file, or remove ssh_public_key.",
		},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("command=\"echo a b\",no-pty ssh-rsa AAAA me@example.com\n# mine\n\nsk-ssh-ed25519@openssh.com AAAA=\r\n"),
		},
		{validator: operation.PublicKeys, value: types.StringValue("garbage"), refused: noKey("1")},
		{validator: operation.PublicKeys, value: types.StringValue("secret garbage"), refused: noKey("1")},
		{validator: operation.PublicKeys, value: types.StringValue("ssh-ed25519"), refused: noKey("1")},
		{validator: operation.PublicKeys, value: types.StringValue("ssh-ed25519 me@example.com"), refused: noKey("1")},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("ssh-ed25519 AAAA me@example.com\n\nssh-rsa\n"),
			refused:   noKey("3"),
		},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n"),
			refused:   noKey("1"),
		},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("\ufeff"),
			refused:   "The text has no key: it is empty or has only comments. Set the contents of a .pub file, or remove ssh_public_key.",
		},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("\ufeff\n"),
			refused:   "The text has no key: it is empty or has only comments. Set the contents of a .pub file, or remove ssh_public_key.",
		},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("\ufeffssh-ed25519 AAAA"),
			refused:   "The text begins with a byte-order mark (U+FEFF), with which SSH does not recognise the first key. Save the file without it, or remove it with trimprefix().",
		},
		{
			validator: operation.PublicKeys,
			value:     types.StringValue("~/.ssh/id_ed25519.pub"),
			refused:   "This is the path of a file. Set the contents of the file: file(\"~/.ssh/id_ed25519.pub\").",
		},
		{validator: tfkit.OneLine, value: types.StringValue(" correct horse ")},
		{
			validator: tfkit.OneLine,
			value:     types.StringValue("secret\n"),
			refused:   "disc[1].label contains a line break, as the contents of a file do. To remove it, use trimspace().",
		},
		{
			validator: tfkit.OneLine,
			value:     types.StringValue("secret\r\nsecret"),
			refused:   "disc[1].label contains a line break, as the contents of a file do. To remove it, use trimspace().",
		},
		{
			validator: tfkit.PathName,
			value:     types.StringValue(" "),
			refused:   "disc[1].label must not be empty, because it becomes part of the path of a request.",
		},
		{validator: tfkit.IPAddress(tfkit.IPv4), value: types.StringValue("192.0.2.10")},
		{validator: tfkit.IPAddress(tfkit.IPv6), value: types.StringValue("2001:db8::10")},
		{validator: tfkit.IPAddress(tfkit.IPv6), value: types.StringValue("2001:DB8:0:0::10")},
		{validator: tfkit.IPAddress(tfkit.AnyIP), value: types.StringValue("192.0.2.10")},
		{validator: tfkit.IPAddress(tfkit.AnyIP), value: types.StringValue("2001:db8::10")},
		{
			validator: tfkit.IPAddress(tfkit.IPv4),
			value:     types.StringValue("192.0.2.300"),
			refused:   `"192.0.2.300" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv4),
			value:     types.StringValue("192.0.2.010"),
			refused:   `"192.0.2.010" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv4),
			value:     types.StringValue("192.0.2.0/24"),
			refused:   `"192.0.2.0/24" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv4),
			value:     types.StringValue("2001:db8::10"),
			refused:   `"2001:db8::10" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv6),
			value:     types.StringValue("192.0.2.10"),
			refused:   `"192.0.2.10" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv6),
			value:     types.StringValue("fe80::1%eth0"),
			refused:   `"fe80::1%eth0" is more than an address. Set the address alone: "fe80::1".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv6),
			value:     types.StringValue(""),
			refused:   `"" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`,
		},
		{
			validator: tfkit.IPAddress(tfkit.AnyIP),
			value:     types.StringValue("::ffff:192.0.2.10"),
			refused:   `"::ffff:192.0.2.10" is the IPv4 address 192.0.2.10 in the form of an IPv6 address. Set 192.0.2.10 where an IPv4 address is expected.`,
		},
		{
			validator: tfkit.IPAddress(tfkit.IPv6),
			value:     types.StringValue("::ffff:192.0.2.10"),
			refused:   `"::ffff:192.0.2.10" is the IPv4 address 192.0.2.10 in the form of an IPv6 address. Set 192.0.2.10 where an IPv4 address is expected.`,
		},
		{
			validator: tfkit.IPAddress(tfkit.AnyIP),
			value:     types.StringValue("web1"),
			refused:   `"web1" is not an IP address. Set one address without a prefix length, such as "192.0.2.10".`,
		},
	} {
		if got := refusalOf(t, test.validator, test.value); got != test.refused {
			t.Errorf("%s: got %q, want %q", test.value, got, test.refused)
		}
	}
}

func noKey(line string) string {
	return "Line " + line + " has no key in the form of OpenSSH: its type, such as ssh-ed25519, and the key itself. " +
		"Set the contents of a .pub file, or remove ssh_public_key. ssh-keygen -i converts the forms of other programs."
}

// refusalOf returns the detail of a validator's error, "" if there is none.
func refusalOf(t *testing.T, v validator.String, value types.String) string {
	t.Helper()
	var resp validator.StringResponse
	v.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("disc").AtListIndex(1).AtName("label"), ConfigValue: value}, &resp)
	switch len(resp.Diagnostics) {
	case 0:
		return ""
	case 1:
		return resp.Diagnostics[0].Detail()
	}
	t.Errorf("%s: got %v", value, resp.Diagnostics)
	return ""
}
