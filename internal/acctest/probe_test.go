package acctest_test

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
)

// probe is a small provider with every kind of attribute and block that core
// has rules about, and a resource that breaks those rules on demand. Its world
// outlives the provider process, as a service does.
type probe struct{ world *world }

type world struct {
	mu     sync.Mutex
	nextID int
	things map[string]int // id → version
	faults map[string]bool
}

func newWorld(faults ...string) *world {
	w := &world{things: map[string]int{}, faults: map[string]bool{}}
	for _, fault := range faults {
		w.faults[fault] = true
	}
	return w
}

// change creates a thing, or brings one to its next version.
func (w *world) change(id string) (changed string, version int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if id == "" {
		w.nextID++
		id = fmt.Sprintf("thing-%d", w.nextID)
	}
	w.things[id]++
	return id, w.things[id]
}

// version returns 0 for a thing that does not exist.
func (w *world) version(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.things[id]
}

func (w *world) remove(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.things, id)
}

func (w *world) fault(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.faults[name]
}

func (p *probe) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "probe"
}

func (p *probe) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = providerschema.Schema{}
}

func (p *probe) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (p *probe) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &thing{world: p.world} }}
}

func (p *probe) DataSources(context.Context) []func() datasource.DataSource {
	return nil
}
