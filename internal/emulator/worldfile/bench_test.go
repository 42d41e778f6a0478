package worldfile_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// BenchmarkRequest measures a read, a change, and a change after another process has made one.
func BenchmarkRequest(b *testing.B) {
	for _, size := range []int{20, 1000} {
		name := filepath.Join(b.TempDir(), "world.json")
		w, other := open(b, name, emulator.Options{}), open(b, name, emulator.Options{})
		if err := w.Alone(b.Context(), func() {
			for n := range size {
				w.Emulator.AddMachine("demo", "default", emulator.Machine{
					Name: fmt.Sprintf("web%d", n), PowerOn: true,
					Discs: []emulator.Disc{{Label: "vda", Size: 25600}, {Label: "data", Size: 51200}},
				})
			}
		}); err != nil {
			b.Fatal(err)
		}
		cores := 1
		change := func() string {
			cores = 3 - cores
			return fmt.Sprintf(`{"keymap":"%s"}`, []string{"", "de", "fr"}[cores])
		}
		b.Run(fmt.Sprintf("read/%d", size), func(b *testing.B) {
			for b.Loop() {
				do(b, w, "GET "+machines+"/web7", "", 200, "web7")
			}
		})
		b.Run(fmt.Sprintf("change/%d", size), func(b *testing.B) {
			for b.Loop() {
				do(b, w, "PUT "+machines+"/web7", change(), 200, "web7")
			}
		})
		b.Run(fmt.Sprintf("in turns/%d", size), func(b *testing.B) {
			for b.Loop() {
				w, other = other, w
				do(b, w, "PUT "+machines+"/web7", change(), 200, "web7")
			}
		})
	}
}
