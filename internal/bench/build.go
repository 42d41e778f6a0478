package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// module is the path of this module; the provider is in the one above.
const module = "github.com/cloudserver/terraform-provider-cloudserver/internal/bench"

// bench holds what was built, and where.
type bench struct {
	cli       string
	root      string // of the repository
	dir       string
	cliConfig string
	providers map[string]string // name → the real program
	states    *states
	peer      *peerService
}

// build compiles the providers, each behind a meter, and writes a configuration that makes the CLI use them without
// `init`.
func build(ctx context.Context, cli, root, dir string) (*bench, error) {
	cli, err := exec.LookPath(cli)
	if err != nil {
		return nil, err
	}
	b := &bench{
		cli: cli, root: root, dir: dir, cliConfig: filepath.Join(dir, "cli.tfrc"), providers: map[string]string{},
	}
	overrides := ""
	for _, s := range subjects {
		home, file := filepath.Join(dir, "providers", s.provider), "terraform-provider-"+s.provider
		b.providers[s.provider] = filepath.Join(home, "metered", file)
		source, from := module+"/"+s.name, filepath.Join(root, "internal", "bench")
		if s == ours {
			source, from = ".", root
		}
		if err := compile(ctx, from, source, b.providers[s.provider]); err != nil {
			return nil, err
		}
		if err := compile(ctx, filepath.Join(root, "internal", "bench"), module+"/meter", filepath.Join(home, file)); err != nil {
			return nil, err
		}
		overrides += fmt.Sprintf("    %q = %q\n", "cloudserver/"+s.provider, home)
	}
	config := "disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n" + overrides + "  }\n}\n"
	return b, os.WriteFile(b.cliConfig, []byte(config), 0o600)
}

// compile builds a program as a release is built, and writes it as an installation does: the linker maps its output
// into memory, which makes a file that starts two milliseconds slower.
func compile(ctx context.Context, dir, source, target string) error {
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", target, source)
	command.Dir = dir
	command.Stderr = os.Stderr
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := command.Run(); err != nil {
		return fmt.Errorf("building %s: %w", source, err)
	}
	program, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	return os.WriteFile(target, program, 0o700)
}
