package examples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

var (
	link      = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	heading   = regexp.MustCompile("(?m)^#+ (.+)$")
	anchor    = regexp.MustCompile(`<a id="([^"]+)">`)
	codeBlock = regexp.MustCompile("(?ms)^```.*?^```")
	quoted    = regexp.MustCompile("`([^`]+)`")
	fenced    = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")
	image     = regexp.MustCompile(`!\[([^\]]*)\]\(([^)]+)\)`)
)

// Every link between the pages in docs/, and in those at the root of the repository, leads to an existing file and
// heading.
func TestLinks(t *testing.T) {
	t.Parallel()
	for name, page := range allPages(t) {
		for _, l := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(page, ""), -1) {
			target := leadsTo(t, name, l[1])
			if target == "" {
				continue
			}
			target = filepath.Join("..", target)
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads nowhere: %v", name, l[0], err)
			} else if l[2] != "" && strings.HasSuffix(target, ".md") && !slices.Contains(anchors(codeBlock.ReplaceAllString(read(t, target), "")), l[2]) {
				t.Errorf("%s: %s leads to no heading of %s", name, l[0], target)
			}
		}
	}
}

// allPages returns the pages in docs/ and those at the root of the repository, by their path from there.
func allPages(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for name, page := range pages(t) {
		texts["docs/"+filepath.ToSlash(name)] = page
	}
	atRoot, err := filepath.Glob("../*.md")
	if err != nil || len(atRoot) == 0 {
		t.Fatalf("no page at the root: %v", err)
	}
	for _, path := range atRoot {
		texts[filepath.Base(path)] = read(t, path)
	}
	return texts
}

// read returns the content of a file.
func read(t *testing.T, path ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// prose returns the pages without their code blocks.
func prose(t *testing.T) map[string]string {
	t.Helper()
	found := pages(t)
	for name, page := range found {
		found[name] = codeBlock.ReplaceAllString(page, "")
	}
	return found
}

// pages returns the pages in docs/ by their path there.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := filepath.Join("..", "docs")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		found[name] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// anchors returns the parts of a page that a link can lead to: headings, as the registry and code hosts name them, and
// marks.
func anchors(page string) []string {
	var names []string
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		name := strings.ToLower(strings.NewReplacer("`", "", "(", "", ")", "", ",", "", ".", "", "?", "").Replace(h[1]))
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	for _, a := range anchor.FindAllStringSubmatch(page, -1) {
		names = append(names, a[1])
	}
	return names
}

// The guide about changes covers each argument and attribute, and nothing else.
func TestEveryChangeIsExplained(t *testing.T) {
	t.Parallel()
	page := prose(t)[filepath.Join("guides", "changes.md")]
	_, section, _ := strings.Cut(page, "\n## Every argument\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var explained []string
	for _, line := range strings.Split(section, "\n") {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, name := range quoted.FindAllStringSubmatch(cells[1], -1) {
				explained = append(explained, name[1])
			}
		}
	}
	var want []string
	walk(providerSchemas(t).ResourceSchemas["cloudserver_vm"].Block, "", func(path, _ string) { want = append(want, path) })
	for _, path := range want {
		if !slices.Contains(explained, path) {
			t.Errorf("nothing explains what a change of %s means", path)
		}
	}
	for _, name := range explained {
		if !slices.Contains(want, name) {
			t.Errorf("%s is explained and does not exist", name)
		}
	}
}

// Every attribute and block has a description, in whole sentences.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	schemas := providerSchemas(t)
	check := func(of string, block *tfprotov6.SchemaBlock) {
		walk(block, "", func(path, description string) {
			if path != "timeouts" && !strings.HasSuffix(description, ".") { // that block is a library's
				t.Errorf("%s: the description of %s does not end with a full stop: %q", of, path, description)
			}
		})
	}
	check("the provider", schemas.Provider.Block)
	for _, k := range []map[string]*tfprotov6.Schema{schemas.ResourceSchemas, schemas.DataSourceSchemas, schemas.EphemeralResourceSchemas, schemas.ListResourceSchemas} {
		for name, schema := range k {
			check(name, schema.Block)
		}
	}
	for name, schema := range schemas.ActionSchemas {
		check(name, schema.Schema.Block)
	}
}

// walk visits the attributes and blocks of a block, attributes in blocks with the block's name before theirs.
func walk(block *tfprotov6.SchemaBlock, prefix string, visit func(path, description string)) {
	for _, a := range block.Attributes {
		visit(prefix+a.Name, a.Description)
	}
	for _, nested := range block.BlockTypes {
		visit(prefix+nested.TypeName, nested.Block.Description)
		walk(nested.Block, prefix+nested.TypeName+".", visit)
	}
}

// A configuration that names the provider pins its version, as Install and upgrade recommends.
func TestPinnedVersions(t *testing.T) {
	t.Parallel()
	for _, path := range files(t, ".") {
		if file := read(t, path); strings.Contains(file, `"cloudserver/cloudserver"`) && !strings.Contains(file, `version = "~> 1.0"`) {
			t.Errorf("%s names no version", path)
		}
	}
}

// A registry hosts no images, so that pages refer to those in the repository, each with a text for people who cannot
// see it.
func TestImages(t *testing.T) {
	t.Parallel()
	for name, page := range pages(t) {
		for _, found := range image.FindAllStringSubmatch(page, -1) {
			if !strings.HasPrefix(found[2], rawFiles+ref(t)+"/") || len(found[1]) < 20 {
				t.Errorf("%s: %s is not in the repository, or has no text", name, found[0])
			}
		}
	}
}
