package tfkit_test

import (
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

func TestPositiveTimeouts(t *testing.T) {
	t.Parallel()
	texts := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"create": tftypes.String, "delete": tftypes.String}}
	whole := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"timeouts": texts}}
	config := func(timeouts any) tfsdk.Config {
		return tfsdk.Config{Raw: tftypes.NewValue(whole, map[string]tftypes.Value{"timeouts": tftypes.NewValue(texts, timeouts)})}
	}
	block := func(create, remove any) any {
		return map[string]tftypes.Value{"create": tftypes.NewValue(tftypes.String, create), "delete": tftypes.NewValue(tftypes.String, remove)}
	}
	refused := func(name, value string) string {
		return "timeouts." + name + `: ` + name + ` is "` + value + `", but must be a positive duration, such as 90s, 20m or 1h30m. Remove it to use the default.`
	}
	for name, test := range map[string]struct {
		config tfsdk.Config
		want   string
	}{
		"none":          {config(nil), ""},
		"unknown block": {config(tftypes.UnknownValue), ""},
		"unknown":       {config(block(tftypes.UnknownValue, nil)), ""},
		"positive":      {config(block("20m", "1ns")), ""},
		"zero":          {config(block("0s", nil)), refused("create", "0s")},
		"negative":      {config(block(nil, "-1h")), refused("delete", "-1h")},
		"no duration":   {config(block("soon", nil)), ""}, // the block's own validator refuses it
		"no such block": {tfsdk.Config{Raw: tftypes.NewValue(tftypes.Object{}, map[string]tftypes.Value{})}, ""},
		"all unknown":   {tfsdk.Config{Raw: tftypes.NewValue(whole, tftypes.UnknownValue)}, ""},
	} {
		var ofResource resource.ValidateConfigResponse
		tfkit.PositiveTimeouts{}.ValidateResource(t.Context(), resource.ValidateConfigRequest{Config: test.config}, &ofResource)
		var ofAction action.ValidateConfigResponse
		tfkit.PositiveTimeouts{}.ValidateAction(t.Context(), action.ValidateConfigRequest{Config: test.config}, &ofAction)
		for _, diags := range []diag.Diagnostics{ofResource.Diagnostics, ofAction.Diagnostics} {
			got := ""
			for _, d := range diags {
				got += d.(diag.DiagnosticWithPath).Path().String() + ": " + d.Detail()
			}
			if got != test.want {
				t.Errorf("%s: got %q, want %q", name, got, test.want)
			}
		}
	}
}

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
