// Command releasecheck checks what internal/tools/release.sh has built into dist/: the sums are right and name all that
// is published, and the archive for this machine unpacks to a licence and a program that prints the archive's version.
// With -tag it checks instead, before the build, that the files of the repository may be published under a tag.
package main

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"io"
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
	release := strings.TrimSuffix(found[0], "_SHA256SUMS") // dist/terraform-provider-cloudserver_1.2.3
	if err := checkSums(found[0], release); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // what is left is in the temporary folder
	archive := fmt.Sprintf("%s_%s_%s.zip", release, runtime.GOOS, runtime.GOARCH)
	if err := unpack(archive, dir); err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	return checkProgram(ctx, dir, strings.TrimPrefix(filepath.Base(release), project+"_"))
}

// checkSums compares the sums with the files, and checks that each archive and the manifest have one.
func checkSums(sums, release string) error {
	text, err := os.ReadFile(sums)
	if err != nil {
		return err
	}
	published, err := filepath.Glob(release + "_*.zip")
	if err != nil || len(published) == 0 {
		return fmt.Errorf("there is no archive %s_*.zip", release)
	}
	for _, path := range append(published, release+"_manifest.json") {
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%x  %s\n", sha256.Sum256(content), filepath.Base(path))
		if !strings.Contains(string(text), line) {
			return fmt.Errorf("%s does not have %s", sums, line)
		}
	}
	fmt.Printf("%d archives, with the sums in %s\n", len(published), sums)
	return nil
}

// unpack writes the files of an archive into a folder. They are in no folders of their own.
func unpack(archive, dir string) error {
	files, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer files.Close() //nolint:errcheck // it was only read
	for _, file := range files.File {
		reader, err := file.Open()
		if err != nil {
			return err
		}
		content, err := io.ReadAll(reader)
		if err := errors.Join(err, reader.Close()); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(file.Name)), content, file.Mode()); err != nil {
			return err
		}
	}
	return nil
}

// checkProgram expects a licence and a program that prints its version.
func checkProgram(ctx context.Context, dir, version string) error {
	if _, err := os.Stat(filepath.Join(dir, "LICENSE")); err != nil {
		return fmt.Errorf("the archive has no licence: %w", err)
	}
	printed, err := exec.CommandContext(ctx, filepath.Join(dir, project+"_v"+version), "version").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, printed)
	}
	if !strings.Contains(string(printed), version) {
		return fmt.Errorf("the program prints version %q, want %s", printed, version)
	}
	fmt.Printf("the program in the archive for this machine prints: %s", printed)
	return nil
}
