// SPDX-License-Identifier: MPL-2.0

package main

import (
	"testing"
	"testing/fstest"
)

func TestCheckTag(t *testing.T) {
	t.Parallel()
	const changelog = "# Changelog\n\n## 1.0.0 (2027-01-31)\n\n- A line.\n\n## 0.9.0 (2026-12-31)\n"
	for name, test := range map[string]struct {
		files map[string]string
		want  string // "" for no error
	}{
		"a release":               {files: map[string]string{"README.md": "terraform init installs it."}},
		"the readme":              {files: map[string]string{"README.md": "Hi\nUntil the first release, clone it."}, want: "README.md:2"},
		"a generated page":        {files: map[string]string{"docs/guides/quick-start.md": "until the first release"}, want: "docs/guides/quick-start.md:1"},
		"an example":              {files: map[string]string{"examples/quickstart/main.tf": "# Before the first release"}, want: "main.tf:1"},
		"a template":              {files: map[string]string{"templates/index.md.tmpl": "It is not yet released."}, want: "index.md.tmpl:1"},
		"an unreleased changelog": {files: map[string]string{"CHANGELOG.md": "## 1.0.0 (unreleased)\n"}, want: `begins with "## 1.0.0 (unreleased)"`},
		"another version":         {files: map[string]string{"CHANGELOG.md": "## 1.0.1 (2027-01-31)\n"}, want: `want "## 1.0.0" and the date`},
		"no section":              {files: map[string]string{"CHANGELOG.md": "# Changelog\n"}, want: "no section"},
		"the checklist":           {files: map[string]string{"RELEASING.md": "Add a section `## X.Y.Z (unreleased)`."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := fstest.MapFS{"CHANGELOG.md": {Data: []byte(changelog)}}
			for path, content := range test.files {
				files[path] = &fstest.MapFile{Data: []byte(content)}
			}
			expect(t, checkTag(files, "v1.0.0"), test.want)
		})
	}
}
