package examples_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
)

// release is a release with archives for three platforms, whose programs are never started. It is signed with a
// throwaway key.
type release struct {
	*testing.T
	dir  string
	key  *openpgp.Entity
	sums string
}

const releaseVersion = "1.0.0" // the one that the page names

func newRelease(t *testing.T) *release {
	t.Helper()
	r := &release{T: t, dir: t.TempDir()}
	platforms := []string{"darwin_arm64", "linux_amd64", runtime.GOOS + "_" + runtime.GOARCH}
	slices.Sort(platforms)
	for _, platform := range slices.Compact(platforms) {
		var archive bytes.Buffer
		z := zip.NewWriter(&archive)
		header := &zip.FileHeader{Name: "terraform-provider-cloudserver_v" + releaseVersion}
		header.SetMode(0o755)
		program, err := z.CreateHeader(header)
		if err == nil {
			_, err = program.Write([]byte(platform))
		}
		if err == nil {
			err = z.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		name := "terraform-provider-cloudserver_" + releaseVersion + "_" + platform + ".zip"
		write(t, r.dir, name, archive.String())
		sum := sha256.Sum256(archive.Bytes())
		r.sums += hex.EncodeToString(sum[:]) + "  " + name + "\n"
	}
	var err error
	if r.key, err = openpgp.NewEntity("throwaway", "", "throwaway@example.com", nil); err != nil {
		t.Fatal(err)
	}
	var signature bytes.Buffer
	if err := openpgp.DetachSign(&signature, r.key, strings.NewReader(r.sums), nil); err != nil {
		t.Fatal(err)
	}
	write(t, r.dir, r.file("SHA256SUMS"), r.sums)
	write(t, r.dir, r.file("SHA256SUMS.sig"), signature.String())
	return r
}

func (r *release) file(suffix string) string {
	return "terraform-provider-cloudserver_" + releaseVersion + "_" + suffix
}

// armoured is the public key as a registry shows it.
func (r *release) armoured() string {
	r.Helper()
	var text bytes.Buffer
	w, err := armor.Encode(&text, openpgp.PublicKeyType, nil)
	if err == nil {
		err = r.key.Serialize(w)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		r.Fatal(err)
	}
	return text.String()
}

// registry serves the release over the protocol of provider registries.
func (r *release) registry() *httptest.Server {
	const provider = "/v1/providers/cloudserver/cloudserver/"
	answers, mux := map[string]any{}, http.NewServeMux()
	server := httptest.NewServer(mux)
	r.Cleanup(server.Close)
	mux.Handle("/files/", http.StripPrefix("/files/", http.FileServer(http.Dir(r.dir))))
	mux.HandleFunc(provider, func(w http.ResponseWriter, req *http.Request) { _ = json.NewEncoder(w).Encode(answers[req.URL.Path]) })
	keys := []map[string]string{{"key_id": fmt.Sprintf("%016X", r.key.PrimaryKey.KeyId), "ascii_armor": r.armoured()}}
	var platforms []map[string]string
	for line := range strings.Lines(r.sums) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		parts := strings.Split(strings.TrimSuffix(name, ".zip"), "_")
		platforms = append(platforms, map[string]string{"os": parts[2], "arch": parts[3]})
		answers[provider+releaseVersion+"/download/"+parts[2]+"/"+parts[3]] = map[string]any{
			"protocols": []string{"6.0"}, "os": parts[2], "arch": parts[3], "filename": name, "shasum": sum,
			"download_url":          server.URL + "/files/" + name,
			"shasums_url":           server.URL + "/files/" + r.file("SHA256SUMS"),
			"shasums_signature_url": server.URL + "/files/" + r.file("SHA256SUMS.sig"),
			"signing_keys":          map[string]any{"gpg_public_keys": keys},
		}
	}
	answers[provider+"versions"] = map[string]any{"versions": []any{map[string]any{"version": releaseVersion, "protocols": []string{"6.0"}, "platforms": platforms}}}
	return server
}

// installWithoutNetwork follows the guide: it verifies a release, mirrors it from a registry, installs it from the
// mirror while the registry is gone, and writes the lock file.
func installWithoutNetwork(t *testing.T, c *cli) {
	const page = "docs/guides/install.md"
	r := newRelease(t)
	w := newWorkspace(t, c, &acctest.Emulator{}, "provider")
	r.verify(*w, c.book.block(t, page, "gpg --verify"))

	registry := r.registry()
	var hosts strings.Builder
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		fmt.Fprintf(&hosts, "host %q {\n  services = { \"providers.v1\" = \"%s/v1/providers/\" }\n}\n", host, registry.URL)
	}
	write(t, w.dir, "cli.tfrc", hosts.String())
	w.env = append(w.env, "TF_CLI_CONFIG_FILE="+filepath.Join(w.dir, "cli.tfrc"))
	mirror := filepath.Join(w.dir, "mirror")
	w.sh(page, "terraform providers mirror", "/srv/terraform/providers", mirror)
	w.run("init")
	w.sh(page, "terraform providers lock -platform")
	w.expectLockedPlatforms()
	for _, name := range []string{".terraform.lock.hcl", ".terraform"} {
		if err := os.RemoveAll(filepath.Join(w.dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	registry.Close()

	write(t, w.dir, "cli.tfrc", strings.ReplaceAll(c.book.block(t, page, "provider_installation"), "/srv/terraform/providers", mirror))
	if installed := w.run("init"); !strings.Contains(installed, "Installed cloudserver/cloudserver v"+releaseVersion) {
		t.Errorf("init: %s", installed)
	}
	w.sh(page, "terraform providers lock -fs-mirror", "/srv/terraform/providers", mirror)
	w.expectLockedPlatforms()
	c.book.block(t, page, "make -s mirror") // which try runs as well, and runREADME that
	w.dir = ".."
	w.env = append(w.env, "MAKEFLAGS=n") // what it does takes minutes: TestMirror looks at the result
	if output := w.sh(page, "make release-archives"); !strings.Contains(output, "SNAPSHOT_VERSION='1.99.1'") {
		t.Errorf("make release-archives runs %s", output)
	}
}

// expectLockedPlatforms expects the checksums of two platforms in the lock file.
func (w *workspace) expectLockedPlatforms() {
	w.Helper()
	lock, err := os.ReadFile(filepath.Join(w.dir, ".terraform.lock.hcl"))
	if err != nil || strings.Count(string(lock), "h1:") < 2 {
		w.Errorf("the lock file lacks a platform: %v\n%s", err, lock)
	}
}

// verify runs the commands of the page where the release was downloaded to. The library that made the signature
// replaces gpg, which not every machine has.
func (r *release) verify(w workspace, commands string) {
	r.Helper()
	w.dir = r.dir
	verify, rest, _ := strings.Cut(strings.TrimPrefix(commands, "gpg --verify "), "\n")
	files := strings.Fields(verify)
	if len(files) != 2 {
		r.Fatalf("gpg --verify has other arguments than two files: %s", verify)
	}
	signature, err := os.ReadFile(filepath.Join(r.dir, files[0]))
	if err != nil {
		r.Fatal(err)
	}
	signed, err := os.ReadFile(filepath.Join(r.dir, files[1]))
	if err != nil {
		r.Fatal(err)
	}
	if _, err := openpgp.CheckDetachedSignature(openpgp.EntityList{r.key}, bytes.NewReader(signed), bytes.NewReader(signature), nil); err != nil {
		r.Error(err)
	}
	if output, err := w.try("sh", "-ec", rest); err != nil {
		r.Errorf("%v\n%s", err, output)
	}
}
