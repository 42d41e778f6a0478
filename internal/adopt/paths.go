package adopt

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// exports returns the shell commands that are needed in a directory before Terraform: each variable of the environment
// that names a file relative to the current directory gets its absolute path. Otherwise Terraform would find another
// file there, or none, and an emulator would begin a new world.
func (r *run) exports(directory string) (commands []string) {
	here, err := filepath.Abs(".")
	if there, err2 := filepath.Abs(directory); err != nil || err2 != nil || here == there {
		return nil
	}
	export := func(name, value string) {
		commands = append(commands, "export "+name+"="+shellQuoted(value))
	}
	const scheme = "emulator:"
	endpoint := os.Getenv("CLOUDSERVER_ENDPOINT")
	emulated, ok := r.factory().(interface{ World() string })
	if ok && emulated.World() != "" && !strings.HasPrefix(endpoint, scheme+emulated.World()) {
		options := ""
		if n := strings.LastIndexByte(endpoint, '?'); n >= 0 {
			options = endpoint[n:]
		}
		export("CLOUDSERVER_ENDPOINT", scheme+emulated.World()+options)
	}
	for _, name := range []string{"CLOUDSERVER_TOKEN_FILE", "CLOUDSERVER_CA_CERTIFICATE"} {
		if file := os.Getenv(name); file != "" && !strings.Contains(file, "-----BEGIN") && !filepath.IsAbs(file) {
			export(name, filepath.Join(here, file))
		}
	}
	return commands
}

// commands returns an indented list of commands to run in a directory, with what they need in the environment.
func (r *run) commands(directory, command string) string {
	exports := r.exports(directory)
	text := "  " + strings.Join(append(exports, command), "\n  ") + "\n\n"
	if len(exports) > 0 {
		text += "The environment names files relative to this directory; with those lines Terraform finds them there.\n"
	}
	return text
}

// shellQuoted quotes text as one word of a shell command, if that is needed.
func shellQuoted(text string) string {
	if regexp.MustCompile(`^[\w/.:@%+,-]+$`).MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
