package provider

import (
	"slices"
	"testing"
)

func TestLogsAreSilentUnlessAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environ []string
		want    []string
	}{
		{[]string{"HOME=/root"}, []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_CLOUDSERVER"}},
		{[]string{"TF_LOG="}, []string{"TF_LOG_SDK", "TF_LOG_PROVIDER_CLOUDSERVER"}},
		{[]string{"TF_LOG=INFO"}, nil},
		{[]string{"TF_LOG_PROVIDER=TRACE"}, nil},
		{[]string{"TF_LOG_SDK_FRAMEWORK=DEBUG"}, nil},
	} {
		var silenced []string
		quiet := silenceLogs(c.environ, func(name, value string) error {
			if value != "off" {
				t.Errorf("%s is set to %q", name, value)
			}
			silenced = append(silenced, name)
			return nil
		})
		if !slices.Equal(silenced, c.want) || quiet != (c.want != nil) {
			t.Errorf("with %v, silenced are %v, want %v, and quiet is %t", c.environ, silenced, c.want, quiet)
		}
	}
}
