package pages_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	uses   = regexp.MustCompile(`(?m)uses: (\S+)(.*)$`)
	pinned = regexp.MustCompile(`^[\w-]+/[\w./-]+@[0-9a-f]{40}$`)
)

// TestOnePinOfAnAction: every workflow, those that users copy included, has the same commit and version of an action.
func TestOnePinOfAnAction(t *testing.T) {
	t.Parallel()
	pins := map[string]string{}
	for _, pattern := range []string{"../../../.github/workflows/*.yml", "../../../examples/guides/*/.github/workflows/*.yml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no workflows, %v", pattern, err)
		}
		for _, file := range files {
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range uses.FindAllStringSubmatch(string(content), -1) {
				action, commit, _ := strings.Cut(found[1], "@")
				if pin := commit + found[2]; pins[action] == "" {
					pins[action] = pin
				} else if pins[action] != pin {
					t.Errorf("%s: %s is pinned to %s, and to %s elsewhere", file, action, pin, pins[action])
				}
			}
		}
	}
}

// TestWorkflows checks what actionlint does not: actions are pinned by commit with the version beside it, no job has a
// permission that it does not list, and no checkout keeps credentials.
func TestWorkflows(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no workflows: %v", err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		workflow, name := string(content), filepath.Base(file)
		for _, found := range uses.FindAllStringSubmatch(workflow, -1) {
			action, comment := found[1], strings.TrimSpace(found[2])
			if strings.HasPrefix(action, "./") {
				continue
			}
			if !pinned.MatchString(action) || !strings.HasPrefix(comment, "# v") {
				t.Errorf("%s: %s is not pinned by a commit with its version in a comment", name, action)
			}
		}
		if !strings.Contains(workflow, "\npermissions: {}\n") {
			t.Errorf("in %s every job has the permissions of the repository's settings", name)
		}
		if checkouts, safe := strings.Count(workflow, "actions/checkout@"), strings.Count(workflow, "persist-credentials: false"); checkouts != safe {
			t.Errorf("%s has %d checkouts, of which %d leave no credentials", name, checkouts, safe)
		}
		if jobs, permissions := strings.Count(workflow, "    timeout-minutes:")+strings.Count(workflow, "    uses: ./"), strings.Count(workflow, "    permissions:\n"); jobs != permissions {
			t.Errorf("%s has %d jobs, of which %d name their permissions", name, jobs, permissions)
		}
	}
}

// TestOnlyTheSigningJobWrites: exactly one job of the release has the key and write permission, and it runs no code of
// the repository, because it checks nothing out.
func TestOnlyTheSigningJobWrites(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../../.github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	before, signing, ok := strings.Cut(string(content), "\n  sign:\n")
	if !ok {
		t.Fatal("there is no job that signs")
	}
	_, before, _ = strings.Cut(before, "\njobs:\n")
	for _, forbidden := range []string{": write", "secrets.", "environment:", "cache: true"} {
		if strings.Contains(before, forbidden) {
			t.Errorf("a job before the signing has %q", forbidden)
		}
	}
	for _, forbidden := range []string{"checkout@", "setup-go@", "cache@", "make ", "internal/"} {
		if strings.Contains(signing, forbidden) {
			t.Errorf("the signing job has %q", forbidden)
		}
	}
	if !strings.Contains(signing, "environment: release") || !strings.Contains(signing, "sha256sum --check") ||
		!strings.Contains(signing, "digest-mismatch: error") || !strings.Contains(signing, "dist/*_SHA256SUMS") {
		t.Error("the signing job has no protected environment, or does not check what it signs, or attests no checksums")
	}
}
