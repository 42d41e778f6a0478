package tfkit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func TestTimeout(t *testing.T) {
	t.Parallel()
	kinds := map[string]attr.Type{"create": types.StringType, "delete": types.StringType}
	for text, want := range map[string]time.Duration{"90s": 90 * time.Second, "0s": time.Minute, "-5m": time.Minute, "soon": time.Minute} {
		value := timeouts.Value{Object: types.ObjectValueMust(kinds, map[string]attr.Value{"create": types.StringValue(text), "delete": types.StringNull()})}
		if got := tfkit.Timeout(value, "create", time.Minute); got != want {
			t.Errorf("create = %q: got %s, want %s", text, got, want)
		}
		for _, name := range []string{"delete", "read"} {
			if got := tfkit.Timeout(value, name, time.Hour); got != time.Hour {
				t.Errorf("%s is not set: got %s", name, got)
			}
		}
	}
	if got := tfkit.Timeout(timeouts.Value{Object: types.ObjectNull(kinds)}, "create", time.Minute); got != time.Minute {
		t.Errorf("no block: got %s", got)
	}
}

func TestParseDuration(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		"90s": "", "1h30m": "", "2562047h": "",
		"2562048h": "is too long", "99999999999999999999s": "is too long",
		"0s": "must be a positive duration", "-5m": "must be a positive duration", "soon": "must be a positive duration", "5": "must be a positive duration",
	} {
		_, err := tfkit.ParseDuration(text)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
