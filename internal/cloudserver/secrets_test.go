package cloudserver

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestHide(t *testing.T) {
	t.Parallel()
	const script = "#!/bin/sh\nuseradd -p \"zq one\" web\nfi\n"
	s := newSecrets("", " ", "hunter22", "hunter", "ab", `p"<&ü w`, script)
	for text, want := range map[string]string{
		"nothing":                           "nothing",
		"it is hunter22!":                   "it is (hidden)!",
		"hunter hunters hunter2":            "(hidden) (hidden)s (hidden)2",
		"ab cab abc (ab) ab":                "(hidden) cab abc ((hidden)) (hidden)",
		`p"<&ü w`:                           "(hidden)",
		`p\"<&ü w`:                          "(hidden)",
		`p\"\u003c\u0026ü w`:                "(hidden)",
		"p&#34;&lt;&amp;ü w":                "(hidden)",
		"p%22%3C%26%C3%BC+w":                "(hidden)",
		"p%22%3C&%C3%BC%20w":                "(hidden)",
		`p\"<&\u00fc w`:                     "(hidden)",
		"line 2: useradd -p \"zq one\" web": "line 2: (hidden)",
		"begins with #!/bin/sh, ends in fi": "begins with #!/bin/sh, ends in fi",
		script:                              "(hidden)",
		`#!/bin/sh\nuseradd -p \"zq one\" web\nfi\n.`: "(hidden).",
		"": "",
	} {
		if got := s.hide(text); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// A secret that a limit cuts in two is hidden, both parts of it.
func TestStartCutsNoSecret(t *testing.T) {
	t.Parallel()
	s := newSecrets("zqmarker-token")
	for limit := 1; limit < 60; limit++ {
		got := s.start([]byte("before the secret zqmarker-token and after, for a while"), limit)
		if strings.Contains(got, "zq") || len(got) > limit {
			t.Errorf("%d: got %q", limit, got)
		}
	}
}

// A run creates a thousand machines, each with a password and a script of its own.
func TestManySecretsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSecrets()
	var all sync.WaitGroup
	for worker := range 10 {
		all.Go(func() {
			for i := range 100 {
				s.add(fmt.Sprintf("password-%d-%d", worker, i), fmt.Sprintf("#!/bin/sh\napt-get update\nhostname web-%d-%d\n", worker, i))
				s.hide(strings.Repeat("some text ", 100))
			}
		})
	}
	all.Wait()
	if got := s.hide("web-3-7 password-3-7 apt-get update"); got != "web-3-7 (hidden) (hidden)" {
		t.Errorf("got %q", got)
	}
}
