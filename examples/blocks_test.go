package examples_test

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

var (
	fenced     = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")
	subcommand = regexp.MustCompile(`(?m)(?:^|\s)terraform (?:-\S+ )*([a-z-]+)`)
	image      = regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`)
)

const rawFiles = "https://raw.githubusercontent.com/cloudserver/terraform-provider-cloudserver/main/"

// Every block of Terraform's language on the pages is the file of an example, which is executed, or at least one that the CLI
// would accept: it is formatted, and its arguments are those of the provider.
func TestCodeBlocks(t *testing.T) {
	t.Parallel()
	files, schemas := exampleFiles(t), providerSchemas(t)
	executed := 0
	for name, page := range pages(t) {
		for _, block := range fenced.FindAllStringSubmatch(page, -1) {
			language, text := block[1], block[2]
			if language == "" {
				t.Errorf("%s: a code block names no language:\n%s", name, text)
			}
			if language != "terraform" || strings.HasPrefix(name, "functions") {
				continue
			}
			if slices.Contains(files, strings.TrimSpace(text)) {
				executed++
				continue
			}
			if formatted := string(hclwrite.Format([]byte(text))); formatted != text {
				t.Errorf("%s: terraform fmt would write\n%s", name, formatted)
			}
			file, diags := hclsyntax.ParseConfig([]byte(text), name, hcl.InitialPos)
			if diags.HasErrors() {
				t.Errorf("%s: %v\n%s", name, diags, text)
				continue
			}
			body, _ := file.Body.(*hclsyntax.Body)
			for _, b := range body.Blocks {
				if b.Type == "resource" && schemas.ResourceSchemas[b.Labels[0]] == nil && !strings.HasPrefix(b.Labels[0], "terraform_") {
					t.Errorf("%s: there is no resource %s", name, b.Labels[0])
				}
			}
		}
	}
	if executed < 30 {
		t.Errorf("only %d blocks are files of examples", executed)
	}
}

// exampleFiles returns the contents of all files of the examples.
func exampleFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		files = append(files, strings.TrimSpace(string(content)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// A configuration that names the provider pins its version, as the guide about upgrades advises.
func TestPinnedVersions(t *testing.T) {
	t.Parallel()
	for _, file := range exampleFiles(t) {
		if strings.Contains(file, `"cloudserver/cloudserver"`) && !strings.Contains(file, `version = "~> 1.0"`) {
			t.Errorf("no version in\n%s", file)
		}
	}
}

// Commands on the pages are those that the CLI has.
func TestCommands(t *testing.T) {
	t.Parallel()
	known := []string{"apply", "destroy", "fmt", "force-unlock", "import", "init", "output", "plan", "providers", "query", "state", "test", "untaint", "validate", "version"}
	for name, page := range pages(t) {
		for _, block := range fenced.FindAllStringSubmatch(page, -1) {
			if block[1] != "shell" {
				continue
			}
			for _, command := range subcommand.FindAllStringSubmatch(block[2], -1) {
				if !slices.Contains(known, command[1]) {
					t.Errorf("%s: terraform %s is not a command", name, command[1])
				}
			}
		}
	}
}

// A registry hosts no images, so that pages refer to those in the repository, each with a text for people who cannot see it.
func TestImages(t *testing.T) {
	t.Parallel()
	for name, page := range pages(t) {
		for _, found := range image.FindAllStringSubmatch(page, -1) {
			path, ok := strings.CutPrefix(found[2], rawFiles)
			if !ok || len(found[1]) < 20 {
				t.Errorf("%s: %s is not in the repository, or has no text", name, found[0])
			} else if _, err := os.Stat(filepath.Join("..", filepath.FromSlash(path))); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// Links of the README and of the other pages of the repository lead to files, and to headings in them.
func TestRepositoryLinks(t *testing.T) {
	t.Parallel()
	root := ".."
	for _, name := range []string{"README.md", "BENCHMARKS.md", "CHANGELOG.md", "CONTRIBUTING.md", "DESIGN.md", "RELEASING.md", "SECURITY.md"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(l[1], "://") {
				continue
			}
			target := filepath.Join(root, filepath.FromSlash(cmp.Or(l[1], name)))
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere: %v", name, l[0], err)
			}
			if l[2] == "" {
				continue
			}
			page, err := os.ReadFile(target)
			if err != nil || !slices.Contains(anchors(codeBlock.ReplaceAllString(string(page), "")), l[2]) {
				t.Errorf("%s: %s leads to no heading: %v", name, l[0], err)
			}
		}
	}
}
