package location_test

import (
	"context"
	"strings"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/location"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

type lister struct{}

func (lister) Accounts(context.Context) ([]cloudserver.Account, error) {
	return []cloudserver.Account{{ID: 1, Name: "demo"}}, nil
}

func (lister) Groups(context.Context, string) ([]cloudserver.Group, error) {
	return []cloudserver.Group{{ID: 2, Name: "default"}}, nil
}

func (lister) BasePath() string { return "" }

func TestNoSuchGroup(t *testing.T) {
	t.Parallel()
	for group, want := range map[string]string{
		"defautl": `Account "demo" has no group "defautl", or these credentials cannot see it. Did you mean "default"?`,
		"default": `The service lists "default", but did not find it for this request. Run the same command again.`,
	} {
		if got := location.NoSuchGroup(t.Context(), tfkit.Defaults{}, lister{}, "demo", group); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", group, got)
		}
	}
}
