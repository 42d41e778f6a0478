// SPDX-License-Identifier: MPL-2.0

package acctest

import (
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the files that tests compare with")

// Updating reports whether tests write the files that they compare with.
func Updating() bool { return *update }

// ExpectFile compares a text with a file in the folder of the test, which a review reads as a whole. With -update it
// writes the file.
func ExpectFile(t *testing.T, name, text string) {
	t.Helper()
	if Updating() {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(stored), text); diff != "" {
		t.Errorf("%s has another text; if this is meant, run the test with -update, and read the difference\n%s", name, diff)
	}
}
