package command

import (
	"slices"
	"testing"
)

// TestLongForms: flags with one dash are those with two. Values, and what is for another program, stay as they are.
func TestLongForms(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ args, want []string }{
		{[]string{"check", "-json", "--wait", "1m"}, []string{"check", "--json", "--wait", "1m"}},
		{[]string{"-h"}, []string{"-h"}},
		{[]string{"emulator", "-boot-time=-1s", "-boot-time", "-1s"}, []string{"emulator", "--boot-time=-1s", "--boot-time", "-1s"}},
		{[]string{"invoke", "vm_signal", "key=-a", "-"}, []string{"invoke", "vm_signal", "key=-a", "-"}},
	} {
		if got := LongForms(test.args); !slices.Equal(got, test.want) {
			t.Errorf("%q become %q, want %q", test.args, got, test.want)
		}
	}
}

// TestClosest: a name is suggested if it was probably meant.
func TestClosest(t *testing.T) {
	t.Parallel()
	names := []string{"emulator", "check", "login", "state", "demo"}
	for written, want := range map[string]string{"chekc": "check", "emu": "emulator", "stat": "state", "dmeo": "demo", "x": "", "": "", "terraform": "", "emulators": "emulator"} {
		if got := Closest(written, names); got != want {
			t.Errorf("%q: %q, want %q", written, got, want)
		}
	}
}
