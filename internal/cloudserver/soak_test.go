package cloudserver_test

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// soakWorkers make calls at once, each with a pause of soakPause between them, so
// that the traffic is bounded.
const (
	soakWorkers = 8
	soakPause   = 20 * time.Millisecond
)

// TestSoak makes every call, again and again, to a service that answers in every
// hostile way. Memory stays steady, and no goroutine is left at the end. It takes
// two seconds, or as long as CLOUDSERVER_SOAK says: CLOUDSERVER_SOAK=10m.
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("CLOUDSERVER_SOAK"))
	if err != nil {
		length = 2 * time.Second
	}
	goroutines := runtime.NumGoroutine()
	var requests atomic.Int64
	ways := hostileWays()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		soakAnswer(w, r, ways[rand.IntN(len(ways))])
	}))
	client := overNetwork(t, server.URL, func(c *cloudserver.Config) {
		c.Token, c.Username, c.Password, c.RequestTimeout = "", "demo", hostilePassword, attemptTime
	})
	ctx, cancel := context.WithTimeout(t.Context(), length)
	defer cancel()
	var calls atomic.Int64
	var all sync.WaitGroup
	for range soakWorkers {
		all.Go(func() { soak(ctx, client, &calls) })
	}
	samples := measureSoak(ctx, length)
	all.Wait()
	first, last := samples[len(samples)/4], samples[len(samples)-1]
	t.Logf("%d calls, %d requests in %v; KiB in use, by time: %v", calls.Load(), requests.Load(), length, samples)
	if last > 2*first+8<<10 {
		t.Errorf("memory grew from %d to %d KiB: %v", first, last, samples)
	}
	server.CloseClientConnections()
	server.Close()
	for deadline := time.Now().Add(15 * time.Second); runtime.NumGoroutine() > goroutines+2; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left of %d at first\n%s", runtime.NumGoroutine(), goroutines, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// soak makes random calls until the context ends.
func soak(ctx context.Context, client *cloudserver.Client, calls *atomic.Int64) {
	known := hostileCalls()
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	for ctx.Err() == nil {
		one, cancel := context.WithTimeout(ctx, callTime)
		_ = known[names[rand.IntN(len(names))]](one, client) // it fails, nearly always
		cancel()
		calls.Add(1)
		select {
		case <-ctx.Done():
		case <-time.After(soakPause):
		}
	}
}

// measureSoak returns the memory in use, in KiB, at twelve times.
func measureSoak(ctx context.Context, length time.Duration) []uint64 {
	var samples []uint64
	for range 12 {
		select {
		case <-ctx.Done():
		case <-time.After(length / 12):
		}
		debug.FreeOSMemory()
		samples = append(samples, heap()>>10)
	}
	return samples
}

// soakAnswer plays a way, or one of the session, over a real connection. An
// endless body ends after 32 MiB.
func soakAnswer(w http.ResponseWriter, r *http.Request, way way) {
	if strings.HasSuffix(r.URL.Path, "/session") && rand.IntN(2) == 0 {
		_, _ = io.WriteString(w, hostileSession)
		return
	}
	for name, value := range way.header {
		if name != "Content-Length" && name != "Retry-After" { // the first belongs to the server, the second would stop the test
			w.Header().Set(name, value)
		}
	}
	switch way.status {
	case http.StatusSwitchingProtocols: // this server cannot
	case http.StatusTooManyRequests: // it would slow the test down
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.WriteHeader(way.status)
	}
	_, _ = io.Copy(w, io.LimitReader(way.body(), 32<<20)) // the client may hang up
}

func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
