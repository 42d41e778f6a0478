//go:build !race

// What is measured here is not what the race detector makes of it, and the other tests make the same calls under it.

package cloudserver_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// limitOfAnswer is the most that an answer may have, and three times as much the
// most that it may take in memory.
const limitOfAnswer = 16 << 20

// amplifying are documents that take much more memory decoded than they have
// bytes, unless that is bounded: some as large as an answer may be, and some with
// as many values as are accepted.
func amplifying() map[string]string {
	const machine = `{"id":%d,"group_id":4,"name":"web%[1]d","cores":2,"memory":4096,"hostname":"web.default.demo.example","management_address":"192.0.2.1","hardware_profile":"virtio2013","zone_name":"york","power_on":true,"autoreboot_on":true,"deleted":false,"cdrom_url":null,"head":null,"keymap":"de","discs":[{"id":1,"label":"vda","size":25600,"storage_grade":"sata","storage_pool":"tier1-sata"}],"network_interfaces":[{"id":1,"mac":"fe:ff:00:00:00:01","ips":["192.0.2.1","2001:db8::1"],"extra_ips":{}}]}`
	repeat := func(count int, before, element, after string) string {
		return before + strings.TrimSuffix(strings.Repeat(element+",", count), ",") + after
	}
	fill := func(before, element, after string) string {
		return repeat((limitOfAnswer-len(before)-len(after)-8)/(len(element)+1), before, element, after)
	}
	numbered := func(count int, element string) string {
		var text strings.Builder
		for i := range count {
			fmt.Fprintf(&text, element+",", i+1)
		}
		return "[" + text.String() + `{"id":1}]`
	}
	return map[string]string{
		"empty objects":       fill("[", "{}", "]"),
		"numbers":             fill("[", "1", "]"),
		"routes":              fill(`[{"id":7,"network_interfaces":[{"extra_ips":{`, `"":""`, "}}]}]"),
		"one name":            `[{"id":7,"name":"` + strings.Repeat("x", limitOfAnswer-100) + `"}]`,
		"whitespace":          strings.Repeat(" ", limitOfAnswer-10) + "[]",
		"machines":            numbered(acceptedMachines, machine),
		"some objects":        numbered(acceptedObjects, `{"id":%d}`),
		"some heads":          numbered(acceptedObjects, `{"id":%d,"head":1,"keymap":2,"cores":1,"memory":1,"power_on":true}`),
		"some empty discs":    repeat(acceptedObjects, `[{"id":7,"discs":[`, "{}", "]}]"),
		"some addresses":      repeat(8*acceptedObjects, `[{"id":7,"network_interfaces":[{"ips":[`, `""`, "]}]}]"),
		"some machines below": repeat(acceptedObjects, `{"id":7,"groups":[{"id":1,"virtual_machines":[`, "{}", "]}]}"),
	}
}

// As many of each as an answer may have, so that the tests fail when the limits
// allow fewer.
const (
	acceptedMachines = 17_000
	acceptedObjects  = 60_000
)

// TestMemoryOfAnswers reads documents as large as an answer may be, and measures
// the memory in use meanwhile.
func TestMemoryOfAnswers(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // or garbage is counted
	for name, document := range amplifying() {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, document)
		}))
		client := overNetwork(t, server.URL, func(c *cloudserver.Config) { c.RequestTimeout = time.Minute })
		calls := []string{"VirtualMachines"}
		if document[0] == '{' {
			calls = []string{"Account"}
		}
		for _, call := range calls {
			used, err := memoryOf(func() error { return hostileCalls()[call](context.Background(), client) })
			if used > 3*limitOfAnswer {
				t.Errorf("%s of %s took %d MiB, want at most %d; it ended with %.200v", call, name, used>>20, 3*limitOfAnswer>>20, err)
			} else {
				t.Logf("%-16s %-20s %3d MiB, %.100v", call, name, used>>20, err)
			}
			if accepted := strings.HasPrefix(name, "some") || name == "machines"; accepted && err != nil {
				t.Errorf("%s of %s: %v", call, name, err)
			}
		}
		server.Close()
	}
}

// memoryOf returns the most memory that a call has in use. Garbage that is not
// collected yet only adds to it, so the least of three measurements counts.
func memoryOf(call func() error) (used int64, err error) {
	for attempt := range 3 {
		before := inUse()
		stop := make(chan struct{})
		peak := watchMemory(stop)
		err = call()
		close(stop)
		measured := int64(<-peak) - int64(before)
		if used = min(used, measured); attempt == 0 {
			used = measured
		}
		if used <= 3*limitOfAnswer {
			break
		}
	}
	return used, err
}

// TestMemoryInSum reads many large answers at once.
func TestMemoryInSum(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	document := amplifying()["machines"]
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, document)
	}))
	t.Cleanup(server.Close)
	client := overNetwork(t, server.URL, func(c *cloudserver.Config) { c.RequestTimeout = time.Minute })
	before := inUse()
	stop := make(chan struct{})
	peak := watchMemory(stop)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if _, err := client.Discs(context.Background(), cloudserver.Ref{Account: "a", Group: "g", ID: int64(i + 1)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	close(stop)
	if used := int64(<-peak) - int64(before); used > 3*3*limitOfAnswer {
		t.Errorf("8 answers of %d MiB took %d MiB", len(document)>>20, used>>20)
	} else {
		t.Logf("8 answers of %d MiB took %d MiB", len(document)>>20, used>>20)
	}
}

func inUse() uint64 {
	runtime.GC()
	return heap()
}

// watchMemory returns the most memory in use until it is stopped.
func watchMemory(stop <-chan struct{}) <-chan uint64 {
	peak := make(chan uint64, 1)
	go func() {
		most := uint64(0)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for {
			most = max(most, heap())
			select {
			case <-stop:
				peak <- most
				return
			case <-ticker.C:
			}
		}
	}()
	return peak
}
