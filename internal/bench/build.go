package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const module = "github.com/cloudserver/terraform-provider-cloudserver"

// bench is what was built, and where.
type bench struct {
	cli       string
	dir       string
	cliConfig string
	providers map[string]string // name → the real program
	states    *states
}

// build compiles our provider and the floor, each behind a meter, and writes a
// configuration that makes the CLI use them without `init`.
func build(ctx context.Context, cli, dir string) (*bench, error) {
	cli, err := exec.LookPath(cli)
	if err != nil {
		return nil, err
	}
	b := &bench{cli: cli, dir: dir, cliConfig: filepath.Join(dir, "cli.tfrc"), providers: map[string]string{}}
	overrides := ""
	for name, source := range map[string]string{"cloudserver": module, "floor": module + "/internal/bench/floor"} {
		home, file := filepath.Join(dir, "providers", name), "terraform-provider-"+name
		b.providers[name] = filepath.Join(home, "metered", file)
		if err := compile(ctx, source, b.providers[name]); err != nil {
			return nil, err
		}
		if err := compile(ctx, module+"/internal/bench/meter", filepath.Join(home, file)); err != nil {
			return nil, err
		}
		overrides += fmt.Sprintf("    %q = %q\n", "cloudserver/"+name, home)
	}
	config := "disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n" + overrides + "  }\n}\n"
	return b, os.WriteFile(b.cliConfig, []byte(config), 0o600)
}

// compile builds a program as a release is built.
func compile(ctx context.Context, source, target string) error {
	command := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", target, source)
	command.Stderr = os.Stderr
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := command.Run(); err != nil {
		return fmt.Errorf("build %s: %w", source, err)
	}
	return nil
}
