//go:build release

// Package release_test checks the archives of a release. It runs with `make release-test`, after `make
// release-snapshot` or in the release workflow.
package release_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

var (
	dist  = flag.String("dist", "../../../dist", "`folder` of the archives")
	again = flag.String("again", "", "`folder` of a second build of the same commit")
)

const (
	prefix = "terraform-provider-cloudserver_"

	// maxBinary is the maximum size of a binary, in bytes.
	maxBinary = 27_400_000
)

// The platforms of a release, and of a quick snapshot.
var (
	platforms = []string{
		"darwin_amd64", "darwin_arm64", "freebsd_386", "freebsd_amd64", "freebsd_arm", "freebsd_arm64",
		"linux_386", "linux_amd64", "linux_arm", "linux_arm64", "linux_s390x", "windows_386", "windows_amd64", "windows_arm64",
	}
	quickPlatforms = []string{"linux_amd64", "linux_arm64"}
)

// TestFiles: the release has exactly the files that the registries expect, and an SBOM for each archive.
func TestFiles(t *testing.T) {
	t.Parallel()
	r := open(t)
	want := []string{r.name("SHA256SUMS"), r.name("manifest.json")}
	for _, platform := range r.platforms() {
		want = append(want, r.name(platform+".zip"), r.name(platform+".cdx.json"))
	}
	slices.Sort(want)
	if !slices.Equal(r.files, want) {
		t.Errorf("the files are\n%s\nwant\n%s", strings.Join(r.files, "\n"), strings.Join(want, "\n"))
	}
}

// TestMirror: the archives are laid out as a mirror of both registries.
func TestMirror(t *testing.T) {
	t.Parallel()
	r := open(t)
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		for _, platform := range r.platforms() {
			archive := filepath.Join(*dist, "mirror", registry, "cloudserver", "cloudserver", r.name(platform+".zip"))
			if _, err := os.Stat(archive); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestChecksums: the checksums cover every other file.
func TestChecksums(t *testing.T) {
	t.Parallel()
	r := open(t)
	sums := map[string]string{}
	for line := range strings.Lines(string(r.read(t, r.name("SHA256SUMS")))) {
		sum, name, ok := strings.Cut(strings.TrimSpace(line), "  ")
		if !ok {
			t.Errorf("unexpected line %q", line)
		}
		sums[name] = sum
	}
	if len(sums) != len(r.files)-1 {
		t.Errorf("there are %d sums for %d files", len(sums), len(r.files)-1)
	}
	for name, want := range sums {
		if got := sha256.Sum256(r.read(t, name)); hex.EncodeToString(got[:]) != want {
			t.Errorf("%s is not what its sum says", name)
		}
	}
}

// TestManifest: the manifest names the provider's protocol.
func TestManifest(t *testing.T) {
	t.Parallel()
	r := open(t)
	manifest := string(r.read(t, r.name("manifest.json")))
	if source, err := os.ReadFile("../../../terraform-registry-manifest.json"); err != nil || manifest != string(source) {
		t.Errorf("the manifest is not that of the repository: %v", err)
	}
	if !strings.Contains(manifest, `"protocol_versions": ["6.0"]`) {
		t.Errorf("the manifest does not name protocol 6.0:\n%s", manifest)
	}
}

// TestArchives checks the contents of every archive.
func TestArchives(t *testing.T) {
	t.Parallel()
	r := open(t)
	for _, platform := range r.platforms() {
		archive, err := zip.OpenReader(r.path(platform + ".zip"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = archive.Close() })
		var names []string
		for _, file := range archive.File {
			names = append(names, file.Name)
			if !strings.HasPrefix(file.Name, prefix[:len(prefix)-1]) {
				continue
			}
			if file.Mode().Perm()&0o111 == 0 {
				t.Errorf("%s: %s cannot be executed", platform, file.Name)
			}
			if file.UncompressedSize64 > maxBinary {
				t.Errorf("%s: the binary has %d bytes, want at most %d", platform, file.UncompressedSize64, maxBinary)
			}
		}
		slices.Sort(names)
		if want := []string{"CHANGELOG.md", "LICENSE", r.binary(platform)}; !slices.Equal(names, want) {
			t.Errorf("%s holds %v, want %v", platform, names, want)
		}
	}
}

// TestVersion: the program in the archive knows its version. `make demo DIST=dist` installs it.
func TestVersion(t *testing.T) {
	t.Parallel()
	r := open(t)
	output, err := exec.CommandContext(t.Context(), r.unpack(t), "version").CombinedOutput()
	if err != nil || strings.TrimSpace(string(output)) != r.version {
		t.Errorf("version prints %q, %v; want %q", output, err, r.version)
	}
}

// TestReproducible compares the release with a second build of the same commit in another folder.
func TestReproducible(t *testing.T) {
	t.Parallel()
	if *again == "" {
		t.Fatal("-again must name a second build")
	}
	first := open(t)
	second := openDist(t, *again)
	if !slices.Equal(first.files, second.files) {
		t.Fatalf("the files differ: %v and %v", first.files, second.files)
	}
	for _, name := range first.files {
		if string(first.read(t, name)) != string(second.read(t, name)) {
			t.Errorf("%s differs between the builds", name)
		}
	}
}

// files is a release in a folder.
type files struct {
	dir     string
	version string
	files   []string
}

func open(t *testing.T) files { return openDist(t, *dist) }

func openDist(t *testing.T, dir string) files {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, prefix+"*"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("there is no release in %s: run make release-snapshot", dir)
	}
	r := files{dir: dir}
	for _, path := range paths {
		r.files = append(r.files, filepath.Base(path))
		if version, ok := strings.CutSuffix(filepath.Base(path), "_SHA256SUMS"); ok {
			r.version = strings.TrimPrefix(version, prefix)
		}
	}
	slices.Sort(r.files)
	return r
}

// name returns the name of a file of the release.
func (r files) name(suffix string) string { return prefix + r.version + "_" + suffix }

func (r files) path(suffix string) string { return filepath.Join(r.dir, r.name(suffix)) }

// platforms returns the platforms that were built: all, or the few of a quick snapshot.
func (r files) platforms() []string {
	if slices.Contains(r.files, r.name("darwin_arm64.zip")) || r.version != "1.99.0" {
		return platforms
	}
	return quickPlatforms
}

// binary returns the name of the program in an archive.
func (r files) binary(platform string) string {
	name := prefix + "v" + r.version
	if strings.HasPrefix(platform, "windows_") {
		name += ".exe"
	}
	return name
}

func (r files) read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// unpack returns the path of the program for this machine, in a folder with the rest of its archive.
func (r files) unpack(t *testing.T) string {
	t.Helper()
	platform, dir := runtime.GOOS+"_"+runtime.GOARCH, t.TempDir()
	archive, err := zip.OpenReader(r.path(platform + ".zip"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = archive.Close() })
	// No other test may start a program meanwhile: it would inherit the file that is open for writing, which could not
	// be run.
	syscall.ForkLock.RLock()
	err = os.CopyFS(dir, archive)
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, r.binary(platform))
}
