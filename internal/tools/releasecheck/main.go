// SPDX-License-Identifier: MPL-2.0

// Command releasecheck checks what internal/tools/release.sh has built into dist/: the sums are right and name all that
// is published, each archive and its SBOM are complete and of the commit, and the program for this machine prints version
// and commit. With -tag it checks instead, before the build, that the files of the repository may be published under a tag.
package main

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

const project = "terraform-provider-cloudserver"

func main() {
	tag := flag.String("tag", "", "the `tag` under which the files of the repository are to be published")
	flag.Parse()
	if err := run(context.Background(), *tag); err != nil {
		fmt.Fprintln(os.Stderr, "releasecheck:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, tag string) error {
	if tag != "" {
		return checkTag(os.DirFS("."), tag)
	}
	return check(ctx, "dist")
}

func check(ctx context.Context, dist string) error {
	found, err := filepath.Glob(filepath.Join(dist, project+"_*_SHA256SUMS"))
	if err != nil || len(found) != 1 {
		return fmt.Errorf("want one file of checksums in %s, found %d", dist, len(found))
	}
	base := strings.TrimSuffix(found[0], "_SHA256SUMS") // dist/terraform-provider-cloudserver_1.2.3
	archives, err := filepath.Glob(base + "_*.zip")
	if err != nil || len(archives) == 0 {
		return fmt.Errorf("there is no archive %s_*.zip", base)
	}
	if err := checkSums(found[0], base, archives); err != nil {
		return err
	}
	built, err := source(ctx, strings.TrimPrefix(filepath.Base(base), project+"_"))
	if err != nil {
		return err
	}
	for _, archive := range archives {
		if err := checkArchive(archive, built); err != nil {
			return fmt.Errorf("%s: %w", archive, err)
		}
	}
	fmt.Printf("%d archives of %s, with SBOMs and sums\n", len(archives), built)
	return runProgram(ctx, fmt.Sprintf("%s_%s_%s.zip", base, runtime.GOOS, runtime.GOARCH), built)
}

// checkSums compares the sums with the files, and checks that each archive, its SBOM and the manifest have one.
func checkSums(sums, base string, archives []string) error {
	text, err := os.ReadFile(sums)
	if err != nil {
		return err
	}
	published := []string{base + "_manifest.json"}
	for _, archive := range archives {
		published = append(published, archive, sbomOf(archive))
	}
	for _, path := range published {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), filepath.Base(path))
		if !strings.Contains(string(text), line) {
			return fmt.Errorf("%s does not have %s", sums, line)
		}
	}
	return nil
}

// runProgram expects that the program in an archive prints its version and commit.
func runProgram(ctx context.Context, archive string, built release) error {
	dir, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in the temporary folder
	content, err := readProgram(archive)
	if err != nil {
		return err
	}
	program := filepath.Join(dir, built.program(archive))
	if err := os.WriteFile(program, content, 0o700); err != nil {
		return err
	}
	printed, err := exec.CommandContext(ctx, program, "version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, printed)
	}
	if !strings.HasPrefix(string(printed), built.String()) {
		return fmt.Errorf("the program prints version %q, want %s", printed, built)
	}
	fmt.Printf("the program for this machine prints: %s", printed)
	return nil
}
