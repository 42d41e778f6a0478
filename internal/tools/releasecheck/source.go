// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
)

// release is what the archives are built from. commit is "" in a linked worktree, where Go records none.
type release struct {
	version, commit string
	tagged          bool
}

// source returns the version of the archives with the commit that is checked out.
func source(ctx context.Context, version string) (release, error) {
	built := release{version: version}
	if git, err := os.Stat(".git"); err != nil || !git.IsDir() {
		return built, err
	}
	var err error
	if built.commit, err = git(ctx, "rev-parse", "HEAD"); err != nil {
		return built, err
	}
	tags, err := git(ctx, "tag", "--points-at", "HEAD", "v"+version)
	built.tagged = tags != ""
	return built, err
}

func git(ctx context.Context, args ...string) (string, error) {
	output, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(output)), nil
}

// String returns how the version begins that the program prints. That of a snapshot may end in ".modified".
func (r release) String() string {
	if r.commit == "" {
		return r.version
	}
	return r.version + "+" + r.commit[:12]
}

// program returns the name of the program in an archive.
func (r release) program(archive string) string {
	name := project + "_v" + r.version
	if strings.Contains(archive, "_windows_") {
		name += ".exe"
	}
	return name
}

// checkBuildInfo returns an error unless a program says, to a scanner, which commit and which release it is.
func (r release) checkBuildInfo(info *debug.BuildInfo) error {
	var commit string
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			commit = setting.Value
		}
	}
	if commit != r.commit {
		return fmt.Errorf("the program is of commit %q, want %q", commit, r.commit)
	}
	if want := "v" + r.version; r.tagged && info.Main.Version != want {
		return fmt.Errorf("go version -m of the program says %s, want %s", info.Main.Version, want)
	}
	return nil
}
