package acctest

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
)

// Random returns a source of random numbers. A failure prints the seed, and the environment's SEED repeats it.
func Random(t *testing.T) *rand.Rand {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("SEED: %v", err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("to repeat it: SEED=%d go test -run '^%s$'", seed, t.Name())
		}
	})
	return rand.New(rand.NewPCG(seed, 0))
}
