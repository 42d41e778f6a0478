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
		{tfkit.PositiveDuration, types.StringValue("90s"), ""},
		{tfkit.PositiveDuration, types.StringValue("1h30m"), ""},
		{tfkit.PositiveDuration, types.StringValue("0s"), `"0s"` + notTime},
		{tfkit.PositiveDuration, types.StringValue("-2m"), `"-2m"` + notTime},
		{tfkit.PositiveDuration, types.StringValue("90"), `"90"` + notTime},
		{tfkit.PositiveDuration, types.StringValue("2562048h"), `"2562048h" is too long: the longest duration is 2562047h.`},
		{tfkit.PositiveDuration, types.StringValue("soon"), `"soon"` + notTime},
		{tfkit.PositiveDuration, types.StringValue(""), `""` + notTime},
		{tfkit.PositiveDuration, types.StringNull(), ""},
		{tfkit.PositiveDuration, types.StringUnknown(), ""},
		{tfkit.PathName, types.StringValue("web1"), ""},
		{tfkit.PathName, types.StringValue(".."), "disc[1].label must be neither \".\" nor \"..\", because it becomes part of the path of a request."},
		{tfkit.PathName, types.StringValue("a/b"), "disc[1].label must not contain / or \\, because it becomes part of the path of a request."},
		{tfkit.PathName, types.StringValue("/dev/vda"), "disc[1].label must not contain / or \\, because it becomes part of the path of a request. Did you mean \"vda\"?"},
		{tfkit.NotEmpty, types.StringValue(" "), ""}, // the service decides
		{tfkit.NotEmpty, types.StringValue(""), "Attribute disc[1].label string length must be at least 1, got: 0"},
		{tfkit.NumericID("; use its ID"), types.StringValue("123456789012345678"), ""},
		{tfkit.NumericID("; use its ID"), types.StringValue("vda"), `disc[1].label is "vda". It must be a numeric ID, such as 1234; use its ID.`},
		{tfkit.NumericID(""), types.StringValue("12345678"), ""},
		{tfkit.NumericID(""), types.StringValue("8lb32h9f"), `disc[1].label is "8lb32h9f". It must be a numeric ID, such as 1234; to mock a resource, set a numeric id in the defaults of its mock_resource or mock_data.`},
		{tfkit.NumericID(""), types.StringValue("01"), `disc[1].label is "01". It must be a numeric ID, such as 1234.`},
		{tfkit.NumericID(""), types.StringValue("12345678901234567890"), `disc[1].label is "12345678901234567890". It must be a numeric ID, such as 1234.`},
		{operation.PublicKeys, types.StringValue("ssh-ed25519 AAAA me@example.com"), ""},
		{operation.PublicKeys, types.StringValue(" \n# me@example.com\n"), "The text has no key: it is empty or has only comments. Set the contents of a .pub file, or remove ssh_public_key."},
		{operation.PublicKeys, types.StringValue("command=\"echo a b\",no-pty ssh-rsa AAAA me@example.com\n# mine\n\nsk-ssh-ed25519@openssh.com AAAA=\r\n"), ""},
		{operation.PublicKeys, types.StringValue("garbage"), noKey("1")},
		{operation.PublicKeys, types.StringValue("secret garbage"), noKey("1")},
		{operation.PublicKeys, types.StringValue("ssh-ed25519"), noKey("1")},
		{operation.PublicKeys, types.StringValue("ssh-ed25519 me@example.com"), noKey("1")},
		{operation.PublicKeys, types.StringValue("ssh-ed25519 AAAA me@example.com\n\nssh-rsa\n"), noKey("3")},
		{operation.PublicKeys, types.StringValue("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n"), noKey("1")},
		{operation.PublicKeys, types.StringValue("\ufeff"), "The text has no key: it is empty or has only comments. Set the contents of a .pub file, or remove ssh_public_key."},
		{operation.PublicKeys, types.StringValue("\ufeff\n"), "The text has no key: it is empty or has only comments. Set the contents of a .pub file, or remove ssh_public_key."},
		{operation.PublicKeys, types.StringValue("\ufeffssh-ed25519 AAAA"), "The text begins with a byte-order mark (U+FEFF), with which SSH does not recognise the first key. Save the file without it, or remove it with trimprefix()."},
		{operation.PublicKeys, types.StringValue("~/.ssh/id_ed25519.pub"), "This is the path of a file. Set the contents of the file: file(\"~/.ssh/id_ed25519.pub\")."},
		{tfkit.OneLine, types.StringValue(" correct horse "), ""},
		{tfkit.OneLine, types.StringValue("secret\n"), "disc[1].label contains a line break, as the contents of a file do. To remove it, use trimspace()."},
		{tfkit.OneLine, types.StringValue("secret\r\nsecret"), "disc[1].label contains a line break, as the contents of a file do. To remove it, use trimspace()."},
		{tfkit.PathName, types.StringValue(" "), "disc[1].label must not be empty, because it becomes part of the path of a request."},
		{tfkit.IPAddress(tfkit.IPv4), types.StringValue("192.0.2.10"), ""},
		{tfkit.IPAddress(tfkit.IPv6), types.StringValue("2001:db8::10"), ""},
		{tfkit.IPAddress(tfkit.IPv6), types.StringValue("2001:DB8:0:0::10"), ""},
		{tfkit.IPAddress(tfkit.AnyIP), types.StringValue("192.0.2.10"), ""},
		{tfkit.IPAddress(tfkit.AnyIP), types.StringValue("2001:db8::10"), ""},
		{tfkit.IPAddress(tfkit.IPv4), types.StringValue("192.0.2.300"), `"192.0.2.300" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{tfkit.IPAddress(tfkit.IPv4), types.StringValue("192.0.2.010"), `"192.0.2.010" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{tfkit.IPAddress(tfkit.IPv4), types.StringValue("192.0.2.0/24"), `"192.0.2.0/24" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{tfkit.IPAddress(tfkit.IPv4), types.StringValue("2001:db8::10"), `"2001:db8::10" is not an IPv4 address. Set one address without a prefix length, such as "192.0.2.10".`},
		{tfkit.IPAddress(tfkit.IPv6), types.StringValue("192.0.2.10"), `"192.0.2.10" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`},
		{tfkit.IPAddress(tfkit.IPv6), types.StringValue("fe80::1%eth0"), `"fe80::1%eth0" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`},
		{tfkit.IPAddress(tfkit.IPv6), types.StringValue(""), `"" is not an IPv6 address. Set one address without a prefix length, such as "2001:db8::10".`},
		{tfkit.IPAddress(tfkit.AnyIP), types.StringValue("::ffff:192.0.2.10"), `"::ffff:192.0.2.10" is the IPv4 address 192.0.2.10 in the form of an IPv6 address. Set 192.0.2.10 where an IPv4 address is expected.`},
		{tfkit.IPAddress(tfkit.IPv6), types.StringValue("::ffff:192.0.2.10"), `"::ffff:192.0.2.10" is the IPv4 address 192.0.2.10 in the form of an IPv6 address. Set 192.0.2.10 where an IPv4 address is expected.`},
		{tfkit.IPAddress(tfkit.AnyIP), types.StringValue("web1"), `"web1" is not an IP address. Set one address without a prefix length, such as "192.0.2.10".`},
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
