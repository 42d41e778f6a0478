// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

const commit = "2851483dc33b57c7583a48fedc4a2b391e9ddc49"

// expect fails the test unless err has the text, or there is none and want is "".
func expect(t *testing.T, err error, want string) {
	t.Helper()
	if got := fmt.Sprint(err); want == "" && err != nil || want != "" && !strings.Contains(got, want) {
		t.Errorf("%v, want %q", got, want)
	}
}

func TestCheckBuildInfo(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		module, commit string
		tagged         bool
		want           string
	}{
		"a release":          {module: "v1.0.0", commit: commit, tagged: true},
		"a snapshot":         {module: "v0.0.0-20261129021913-2851483dc33b+dirty", commit: commit},
		"no commit":          {module: "(devel)", want: `of commit "", want "2851483dc33b`},
		"another commit":     {module: "v1.0.0", commit: "0123", tagged: true, want: `of commit "0123"`},
		"a modified release": {module: "v1.0.0+dirty", commit: commit, tagged: true, want: "says v1.0.0+dirty, want v1.0.0"},
		"no version":         {module: "(devel)", commit: commit, tagged: true, want: "says (devel), want v1.0.0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			info := &debug.BuildInfo{Main: debug.Module{Version: test.module}}
			info.Settings = []debug.BuildSetting{{Key: "GOOS", Value: "linux"}, {Key: "vcs.revision", Value: test.commit}}
			built := release{version: "1.0.0", commit: commit, tagged: test.tagged}
			expect(t, built.checkBuildInfo(info), test.want)
		})
	}
}

func TestCheckSBOM(t *testing.T) {
	t.Parallel()
	info := &debug.BuildInfo{GoVersion: "go1.26.8 X:none", Deps: []*debug.Module{{Path: "example.com/a", Version: "v1.2.3"}}}
	const std, dep = `{"name": "std", "version": "go1.26.8"}`, `{"name": "example.com/a", "version": "v1.2.3"}`
	document := func(version, components string) string {
		return `{"bomFormat": "CycloneDX", "metadata": {"component": {"version": "` + version + `"}}, "components": [` + components + `]}`
	}
	for name, test := range map[string]struct{ document, want string }{
		"complete":              {document: document("v1.0.0", dep+","+std)},
		"of another release":    {document: document("v1.0.1", dep+","+std), want: "of v1.0.1"},
		"without a module":      {document: document("v1.0.0", std), want: "lacks example.com/a v1.2.3"},
		"without Go's library":  {document: document("v1.0.0", dep), want: "lacks std go1.26.8"},
		"of another module":     {document: document("v1.0.0", std+`,{"name": "example.com/a", "version": "v1.2.4"}`), want: "lacks example.com/a"},
		"in another format":     {document: `{"spdxVersion": "SPDX-2.3"}`, want: `in format ""`},
		"not written to an end": {document: `{"bomFormat":`, want: "unexpected end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, checkSBOM([]byte(test.document), info, "v1.0.0"), test.want)
		})
	}
}

// TestCheckArchiveFiles: an archive has the program and what goes with it, and nothing else.
func TestCheckArchiveFiles(t *testing.T) {
	t.Parallel()
	complete := []string{"LICENSE", "CHANGELOG.md", "THIRD_PARTY_NOTICES"}
	const program = "terraform-provider-cloudserver_v1.0.0"
	for name, test := range map[string]struct {
		archive string
		files   []string
		want    string
	}{
		"complete, but not a program": {archive: "a_linux_amd64.zip", files: append(complete, program), want: "unrecognized file format"},
		"for Windows":                 {archive: "a_windows_amd64.zip", files: append(complete, program+".exe"), want: "unrecognized file format"},
		"without notices":             {archive: "a_linux_amd64.zip", files: append(complete[:2:2], program), want: "it has the files"},
		"with a file more":            {archive: "a_linux_amd64.zip", files: append(complete, program, ".env"), want: "it has the files"},
		"of another version":          {archive: "a_linux_amd64.zip", files: append(complete, program+"1"), want: "it has the files"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive := filepath.Join(t.TempDir(), test.archive)
			write(t, archive, test.files)
			expect(t, checkArchive(archive, release{version: "1.0.0"}), test.want)
		})
	}
}

// write writes an archive whose files can be executed and have their names as content.
func write(t *testing.T, path string, names []string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := zip.NewWriter(file)
	for _, name := range names {
		header := &zip.FileHeader{Name: name}
		header.SetMode(0o755)
		content, err := archive.CreateHeader(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := content.Write([]byte(name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
