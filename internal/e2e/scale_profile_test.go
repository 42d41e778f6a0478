package e2e_test

import (
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// The provider's own cost for a thousand machines, for profiles:
//
//	go test -run '^$' -bench EmptyPlan -cpuprofile cpu.out ./internal/e2e
//
// The profiles include the work of the driver, which stands in for Terraform.

func BenchmarkEmptyPlan(b *testing.B) {
	g := newGroup(b, emulator.Options{NoJournal: true}, 1000, 10)
	g.apply(b.Context())
	b.ResetTimer()
	b.ReportAllocs()
	for b.Loop() {
		g.command(b)
		g.emptyPlan(b.Context())
	}
}

func BenchmarkApplyAndDestroy(b *testing.B) {
	g := newGroup(b, emulator.Options{NoJournal: true, Latency: 5 * time.Millisecond}, 1000, 10)
	b.ReportAllocs()
	for b.Loop() {
		g.command(b)
		g.apply(b.Context())
		g.command(b)
		g.destroy(b.Context())
	}
}
