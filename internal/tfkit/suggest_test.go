package tfkit

import (
	"slices"
	"testing"
)

var (
	distributions = []string{"trixie", "bookworm", "noble", "jammy", "rocky9", "rocky10", "leap16"}
	descriptions  = map[string]string{
		"trixie": "Debian 13 (Trixie)", "bookworm": "Debian 12 (Bookworm)", "noble": "Ubuntu 24.04 LTS", "jammy": "Ubuntu 22.04 LTS",
		"rocky9": "Rocky Linux 9", "rocky10": "Rocky Linux 10", // none for leap16
	}
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	many := slices.Concat(distributions, []string{"a1", "a2", "a3", "a4", "a5", "a6"})
	const all = `The service offers: "trixie", "bookworm", "noble", "jammy", "rocky9", "rocky10", "leap16".`
	for _, test := range []struct {
		name         string
		names        []string
		descriptions map[string]string
		want         string
	}{
		{"x", nil, nil, "The service offers none."},
		{"default", []string{"york"}, nil, `The service offers: "york".`},
		{"yorc", []string{"york", "manchester"}, nil, `Did you mean "york"? The service offers: "york", "manchester".`},
		{"bookwurm", distributions, nil, `Did you mean "bookworm"? ` + all},
		{"windows", distributions, nil, all},
		{"ROCKY9", distributions, nil, `Did you mean "rocky9"? ` + all},
		{"nob", distributions, nil, `Did you mean "noble"? ` + all},
		{"b", []string{"a", "c", "b", "d"}, nil, `Did you mean "b"? The service offers: "a", "c", "b", "d".`},
		{"--", []string{"a"}, map[string]string{"a": "x"}, `The service offers: "a" (x).`},
		{"debian-12", []string{"trixie", "bookworm"}, descriptions, `Did you mean "bookworm" (Debian 12 (Bookworm))? The service offers: "trixie" (Debian 13 (Trixie)), "bookworm" (Debian 12 (Bookworm)).`},
		{"bookwurm", many, nil, `Did you mean "bookworm"? The closest of the 13 that the service offers: "bookworm", "rocky9", "rocky10".`},
		{"ubuntu-2204", many, descriptions, `Did you mean "jammy" (Ubuntu 22.04 LTS)? The closest of the 13 that the service offers: "jammy" `},
		{"rocky-linux-10", many, descriptions, `Did you mean "rocky10" (Rocky Linux 10)? `},
		{"debian-11", many, descriptions, `The closest of the 13 `},
		{"debian-12", many, descriptions, `Did you mean "bookworm" (Debian 12 (Bookworm))? The closest of the 13 that the service offers: "bookworm" (Debian 12 (Bookworm)), `},
	} {
		got := suggest(test.name, test.names, test.descriptions, "The service offers", "that the service offers")
		if got != test.want && (len(test.names) < 13 || len(got) < len(test.want) || got[:len(test.want)] != test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}
