package cloudserver

import "testing"

// TestDiscsAgreeWhateverTheServiceMakesOfLabels: a machine whose creation was
// answered ambiguously is found again although the service normalises labels.
func TestDiscsAgreeWhateverTheServiceMakesOfLabels(t *testing.T) {
	t.Parallel()
	wanted := []DiscSpec{{Label: "Data", Size: 5000, StorageGrade: "ssd"}}
	for _, test := range []struct {
		found Disc
		agree bool
	}{
		{Disc{Label: "Data", Size: 5000}, true},
		{Disc{Label: "data", Size: 5000, StorageGrade: "ssd"}, true},
		{Disc{Label: "data", Size: 6000}, false},
		{Disc{Label: "data", Size: 5000, StorageGrade: "sata"}, false},
		{Disc{Label: "other", Size: 5000}, false},
	} {
		if got := discsAgree(wanted, []Disc{test.found}); got != test.agree {
			t.Errorf("%+v: %t, want %t", test.found, got, test.agree)
		}
	}
}
