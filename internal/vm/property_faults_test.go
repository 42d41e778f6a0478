package vm_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// drawFault draws what goes wrong with the requests that change something, or,
// without a lie, with any.
func drawFault(rng *rand.Rand) (f emulator.Fault, name string) {
	f = emulator.Fault{
		Match: func(r emulator.Request) bool { return r.Method != http.MethodGet },
		Skip:  rng.IntN(8), Times: one(rng, 1, 1, 1, 2, 6, 0), AfterEffect: chance(rng, 2),
	}
	kind := rng.IntN(9)
	switch kind {
	case 0, 1:
		f.Status, f.Body = one(rng, 500, 502, 503, 504), "broken for the test"
	case 2:
		f.Status, f.Body = 429, "slow down"
		f.AfterEffect = false // this status says that nothing was done
	case 3:
		f.Status, f.Body, f.AfterEffect = one(rng, 403, 404, 400), "refused for the test", false
	case 4:
		f.Cut = true
	case 5:
		f.Delay = one(rng, 10*time.Second, time.Minute, 5*time.Minute)
	case 6:
		f.Truncate, f.AfterEffect = 1, false
	case 7:
		f.Rewrite = func(status int, header http.Header, _ []byte) (int, http.Header, []byte) {
			return status, header, []byte(`{"id":{"a":1},"virtual_machine":[3]}`)
		}
	case 8:
		f.Rewrite = func(int, http.Header, []byte) (int, http.Header, []byte) {
			return http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte("<html>maintenance")
		}
	}
	if kind != 3 && kind != 8 && chance(rng, 4) {
		f.Match, f.Skip = nil, rng.IntN(20)
	}
	name = fmt.Sprintf("kind %d, status %d, skip %d, times %d, after %t, delay %s, all %t", kind, f.Status, f.Skip, f.Times, f.AfterEffect, f.Delay, f.Match == nil)
	return f, name
}
