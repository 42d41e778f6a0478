package vm

import (
	"encoding/base64"
	"strings"
	"testing"
)

// TestScriptMistakes: each way to write a script that does not run has its own words, and none says that a script has
// no #! line that has one.
func TestScriptMistakes(t *testing.T) {
	t.Parallel()
	const script = "#!/bin/sh\necho done\n"
	for name, test := range map[string]struct{ script, says string }{
		"a script":         {script, ""},
		"a single line":    {"#!/bin/true", ""},
		"Windows":          {"#!/bin/sh\r\necho done\r\n", "carriage return"},
		"literal breaks":   {`#!/bin/sh\necho done\n`, `\n as two characters`},
		"byte-order mark":  {"\ufeff" + script, "byte-order mark"},
		"an empty line":    {"\n" + script, "The first line is empty"},
		"a line of spaces": {"  \n  " + script, "The first line is empty"},
		"indented":         {"    " + script, "White space stands before"},
		"base64":           {base64.StdEncoding.EncodeToString([]byte(script)), "encoded in base64"},
		"cloud-config":     {"#cloud-config\npackages: [nginx]\n", "It has no #! line"},
		"a path":           {"firstboot.sh", "It has no #! line"},
		"nothing":          {"", "It has no #! line"},
	} {
		why := scriptMistake(test.script)
		if (why == "") != (test.says == "") || !strings.Contains(why, test.says) {
			t.Errorf("%s: got %q, want %q", name, why, test.says)
		}
	}
}
