package provider_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// TestNumbersThatDoNotFit: fractions and values beyond 63 bits are reported at
// their attribute, in words for users, by whatever takes a number.
func TestNumbersThatDoNotFit(t *testing.T) {
	t.Parallel()
	server := provider.NewServer(provider.New("test")())
	schemas, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	machine := schemas.ResourceSchemas["cloudserver_vm"]
	for number, want := range map[string]string{
		"2":                    "",
		"9223372036854775807":  "",
		"1.5":                  "1.5 is not a whole number.",
		"9223372036854775808":  "9223372036854775808 is too large",
		"-9223372036854775809": "-9223372036854775809 is too large, or too small",
		"1e300":                "1e+300 is too large",
	} {
		for _, at := range []string{"cores", "disc"} {
			config := withNumber(t, machine, at, number)
			resp, err := server.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{TypeName: "cloudserver_vm", Config: &config})
			if err != nil {
				t.Fatal(err)
			}
			text := acctest.DiagText(resp.Diagnostics)
			if strings.Contains(text, "error in the provider") || (want != "") != strings.Contains(text, "Invalid number") || !strings.Contains(text, want) {
				t.Errorf("%s = %s: want %q, got:\n%s", at, number, want, text)
			}
			if want != "" && !strings.Contains(text, "error at "+at) {
				t.Errorf("%s = %s: not at its attribute:\n%s", at, number, text)
			}
		}
	}
	config := withNumber(t, schemas.Provider, "max_retries", "0.5")
	resp, err := server.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{Config: &config})
	if err != nil {
		t.Fatal(err)
	}
	if text := acctest.DiagText(resp.Diagnostics); !strings.Contains(text, "error at max_retries: Invalid number\n0.5 is not a whole number.") {
		t.Errorf("max_retries = 0.5: got:\n%s", text)
	}
}

// withNumber returns a configuration that has nothing but one number: the
// attribute, or the size of the first block of that name.
func withNumber(t *testing.T, schema *tfprotov6.Schema, at, text string) tfprotov6.DynamicValue {
	t.Helper()
	number, ok := new(big.Float).SetString(text)
	if !ok {
		t.Fatal(text)
	}
	object := schema.ValueType().(tftypes.Object)
	value, err := tfprotov6.NewDynamicValue(object, only(object, at, number))
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func only(object tftypes.Object, at string, number *big.Float) tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, kind := range object.AttributeTypes {
		values[name] = tftypes.NewValue(kind, nil)
		if name != at {
			continue
		}
		if list, ok := kind.(tftypes.List); ok {
			values[name] = tftypes.NewValue(list, []tftypes.Value{only(list.ElementType.(tftypes.Object), "size", number)})
		} else {
			values[name] = tftypes.NewValue(kind, number)
		}
	}
	return tftypes.NewValue(object, values)
}

// TestOtherErrorsStay: a configuration whose numbers fit keeps the errors that it
// has.
func TestOtherErrorsStay(t *testing.T) {
	t.Parallel()
	d, _ := acctest.Drive(t, emulator.Options{}, nil)
	diags := d.Validate("cloudserver_group", map[string]any{"name": ""})
	if text := acctest.DiagText(diags); !strings.Contains(text, "error at name: Invalid empty value") {
		t.Errorf("got:\n%s", text)
	}
}
