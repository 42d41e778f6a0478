package schemafile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	const thing = "resource thing"
	name := Property{Type: "String", Optional: true, Computed: true, Default: "x", Change: "update"}
	file := func(change func(*Property)) File {
		p := name
		if change != nil {
			change(&p)
		}
		return File{thing: {"": {Type: "version 0"}, "name": p, "disc": {Type: "block list, 0 to 8", Optional: true}, "disc[].size": {Type: "Number", Required: true}}}
	}
	with := func(path string, p Property) File {
		f := file(nil)
		f[thing][path] = p
		return f
	}
	without := func(path string) File {
		f := file(nil)
		delete(f[thing], path)
		return f
	}
	for _, c := range []struct {
		title    string
		old, now File
		want     []string
	}{
		{"nothing", file(nil), file(nil), nil},
		{"object removed", file(nil), File{}, []string{"breaking: resource thing: removed"}},
		{"object new", File{}, file(nil), []string{"additive: resource thing: new"}},
		{"renamed", with("old", name), with("new", name), []string{"breaking: resource thing: old removed", "additive: resource thing: new new"}},
		{"attribute removed", file(nil), without("disc[].size"), []string{"breaking: resource thing: disc[].size removed"}},
		{"new, optional", file(nil), with("keymap", Property{Optional: true}), []string{"additive: resource thing: keymap new"}},
		{"new, required", file(nil), with("keymap", Property{Required: true}), []string{"breaking: resource thing: keymap new, and required"}},
		{"new, required in a block that was there", without("disc[].size"), file(nil), []string{"breaking: resource thing: disc[].size new, and required"}},
		{"new block, which requires", file(nil), with("ready.port", Property{Required: true}), []string{"additive: resource thing: ready.port new, and required"}},
		{"type", file(nil), file(func(p *Property) { p.Type = "Number" }), []string{"breaking: resource thing: name: Number, was String"}},
		{"version", file(nil), with("", Property{Type: "version 1"}), []string{"additive: resource thing: version 1, was version 0"}},
		{"required", file(nil), file(func(p *Property) { p.Required, p.Optional = true, false }), []string{"breaking: resource thing: name: required, was not"}},
		{"optional", file(func(p *Property) { p.Required, p.Optional = true, false }), file(nil), []string{"additive: resource thing: name: optional, was required"}},
		{"read only", file(nil), file(func(p *Property) { p.Optional = false }), []string{"breaking: resource thing: name: cannot be configured any more"}},
		{"can be configured", file(func(p *Property) { p.Optional = false }), file(nil), []string{"additive: resource thing: name: can be configured"}},
		{"computed gone", file(nil), file(func(p *Property) { p.Computed = false }), []string{"breaking: resource thing: name: not computed any more"}},
		{"sensitive", file(nil), file(func(p *Property) { p.Sensitive = true }), []string{"breaking: resource thing: name: sensitive, was not"}},
		{"write-only", file(nil), file(func(p *Property) { p.WriteOnly = true }), []string{"breaking: resource thing: name: write-only, was not"}},
		{"deprecated", file(nil), file(func(p *Property) { p.Deprecated = true }), []string{"additive: resource thing: name: deprecated, was not"}},
		{"default", file(nil), file(func(p *Property) { p.Default = "y" }), []string{"breaking: resource thing: name: default y, was x"}},
		{"replaces", file(nil), file(func(p *Property) { p.Change = "replace" }), []string{"breaking: resource thing: name: a change means replace, was update"}},
		{"in place", file(func(p *Property) { p.Change = "replace" }), file(nil), []string{"additive: resource thing: name: a change means update, was replace"}},
		{"identity", File{"identity thing": {}}, File{"identity thing": {"id": {Optional: true}}}, []string{"breaking: identity thing: id new, and an identity never changes"}},
	} {
		t.Run(c.title, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, change := range Compare(c.old, c.now) {
				got = append(got, change.String())
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
