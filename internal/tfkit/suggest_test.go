package tfkit_test

import (
	"slices"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

var distributions = []string{"trixie", "bookworm", "noble", "jammy", "rocky9", "rocky10"}

func TestNearest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		names []string
		want  []string
	}{
		{"bookwurm", distributions, []string{"bookworm", "rocky9", "rocky10"}},
		{"ROCKY9", distributions, []string{"rocky9", "rocky10", "noble"}},
		{"b", []string{"a", "c", "b", "d"}, []string{"b", "a", "c"}}, // ties stay in the service's order
		{"yorc", []string{"york", "manchester"}, []string{"york", "manchester"}},
		{"any", nil, nil},
	} {
		if got := tfkit.Nearest(test.name, test.names); !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
	if distributions[0] != "trixie" {
		t.Error("the caller's list is sorted")
	}
}

func TestNearestSentence(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		names []string
		want  string
	}{
		{nil, "The service offers none at all."},
		{[]string{"york"}, `The service offers: "york".`},
		{[]string{"york", "manchester", "hidden"}, `The service offers: "york", "manchester", "hidden".`},
		{distributions, `The nearest of the 6 that the service offers: "bookworm", "rocky9", "rocky10".`},
	} {
		if got := tfkit.NearestSentence("bookwurm", test.names); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
}
