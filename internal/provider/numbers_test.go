package provider_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// TestEveryNumberIsWhole: a number that is no 64-bit integer is an error of ours, at the
// attribute, for every number that the provider has: the framework would call it an
// error in the provider.
func TestEveryNumberIsWhole(t *testing.T) {
	t.Parallel()
	found := map[string]int{}
	for _, v := range validations(t) {
		for _, at := range pathsOf(v.schema.Block, tftypes.Number) {
			found[v.kind]++
			for _, number := range []string{"1.5", "-0.1", "9223372036854775808", "-9223372036854775809", "1e+300"} {
				value, _, err := big.ParseFloat(number, 10, 512, big.ToNearestEven)
				if err != nil {
					t.Fatal(err)
				}
				text := v.of(t, at, value)
				want := fmt.Sprintf("error at %s: Invalid number\n%s is %s. It must be a whole number", strings.Join(at, "."), written(at), number)
				readOnly := "error at " + at[0] + ": Cannot set " + at[0] // the framework looks no further
				if !strings.Contains(text, want) && !strings.Contains(text, readOnly) || strings.Contains(text, "error in the provider") {
					t.Errorf("%s %s: want %q in\n%s", v.kind, v.name, want, text)
				}
			}
		}
	}
	if found["provider"] < 2 || found["resource"] < 6 || found["data source"] < 10 {
		t.Errorf("found %v", found)
	}
}
