package e2e_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// config returns the same machine that internal/bench measures.
func config(i int) map[string]any {
	return map[string]any{
		"name": fmt.Sprintf("web%d", i), "cores": 2, "memory": 4096,
		"disc":    []map[string]any{{"label": "vda", "size": 25600, "storage_grade": "sata"}},
		"reimage": map[string]any{"distribution": "bookworm", "ssh_public_key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBDEcVOF9T6JTvtpHHEpzVeRKPicDToJM8d3QYI9jjrM bench@example"},
	}
}

// group is a set of machines in one group and the provider process of one command, with Terraform's parallelism.
type group struct {
	driver      *acctest.Driver
	emulator    *acctest.Emulator
	objects     []*acctest.Object
	parallelism int
	cores       int // what the configuration changes them to; 0: nothing
	ready       bool
	names       []string // groups, which the machines take by turns; none: the default
}

func newGroup(t testing.TB, options emulator.Options, n, parallelism int) *group {
	t.Helper()
	d, e := acctest.Drive(t, options, nil)
	return &group{driver: d, emulator: e, objects: make([]*acctest.Object, n), parallelism: parallelism}
}

// command starts another run of Terraform with its own provider process, and clears the journal.
func (g *group) command(t testing.TB) {
	t.Helper()
	g.driver = g.emulator.NewDriver(t, nil)
	g.emulator.ResetJournal()
}

// each runs an operation on every machine, so many at a time.
func (g *group) each(operation func(i int)) {
	turns := make(chan struct{}, g.parallelism)
	var all sync.WaitGroup
	for i := range g.objects {
		turns <- struct{}{}
		all.Go(func() {
			operation(i)
			<-turns
		})
	}
	all.Wait()
}

// config returns the configuration of one machine.
func (g *group) config(i int) map[string]any {
	c := config(i)
	if g.cores != 0 {
		c["cores"], c["allow_stopping_for_update"] = g.cores, true
	}
	if len(g.names) > 0 {
		c["group"] = g.names[i%len(g.names)]
	}
	if g.ready {
		c["ready"] = map[string]any{"port": 22}
	}
	return c
}

// plan refreshes each machine that exists, and plans it.
func (g *group) plan(ctx context.Context) {
	g.each(func(i int) {
		if g.objects[i] != nil {
			g.objects[i] = g.driver.MustRefresh(ctx, g.objects[i])
		}
		g.driver.Plan(ctx, "cloudserver_vm", g.objects[i], g.config(i))
	})
}

func (g *group) apply(ctx context.Context) {
	g.each(func(i int) { g.objects[i] = g.driver.MustApply(ctx, "cloudserver_vm", g.objects[i], g.config(i)) })
}

func (g *group) emptyPlan(ctx context.Context) {
	g.each(func(i int) { g.driver.ExpectPlan(ctx, g.objects[i], config(i), acctest.ActionNoOp) })
}

func (g *group) destroy(ctx context.Context) {
	g.each(func(i int) { g.objects[i] = g.driver.MustApply(ctx, "cloudserver_vm", g.objects[i], nil) })
}
