package e2e_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestBadReleaseStopsTheRollout: three machines, of which one may be down at a time, get an image whose health check
// fails. The update of the first one fails, the other two keep serving the old image, and the error has what was seen.
// The fix is rolled out.
func TestBadReleaseStopsTheRollout(t *testing.T) {
	t.Parallel()
	e := acctest.StartEmulator(t, emulator.Options{Guests: true, GuestBoot: 50 * time.Millisecond})
	port := e.ServeGuests(t)
	w := newWorkspace(t, e)
	apply := func(image string) (output string, err error) {
		t.Helper()
		w.write("main.tf", requirement+e.ProviderBlock("  max_unavailable = 1")+fmt.Sprintf(`
resource "cloudserver_vm" "web" {
  for_each = toset(["web1", "web2", "web3"])
  name     = each.key

  allow_stopping_for_update = true

  disc {
    label = "vda"
    size  = 25600
  }
  reimage {
    distribution  = %q
    root_password = %q
    on_change     = "reimage"
  }
  ready {
    port      = %d
    http_path = "/health"
    timeout   = "3s"
  }
}
`, image, rootPassword, port))
		output, err = w.run(append(command("apply"), "-parallelism=3")...)
		return strings.Join(strings.Fields(output), " "), err // the CLI wraps lines
	}
	serving := func() map[string]int { // statuses and images, and how many machines have them
		t.Helper()
		seen := map[string]int{}
		for _, g := range e.Guests() {
			answer, err := http.Get(fmt.Sprintf("http://%s:%d/health", g.Address, port))
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			_, image, _ := strings.Cut(strings.TrimSpace(string(body)), " ")
			seen[fmt.Sprintf("%d %s", answer.StatusCode, image)]++
		}
		return seen
	}
	expect := func(when, want string) {
		t.Helper()
		if got := fmt.Sprint(serving()); got != want {
			t.Errorf("%s: %s, want %s", when, got, want)
		}
	}

	if output, err := apply("bookworm"); err != nil {
		t.Fatal(output)
	}
	expect("created", "map[200 bookworm:3]")
	e.SetImageStatus("noble", http.StatusServiceUnavailable)
	e.ResetPower()
	output, err := apply("noble")
	if err == nil {
		t.Fatal("the bad release rolls on")
	}
	expect("after the bad release", "map[200 bookworm:2 503 noble:1]")
	if n := len(e.Power().Changes); n != 2 {
		t.Errorf("%d changes of power, want that one machine went off and came back", n)
	}
	for phrase, times := range map[string]int{
		"but it is not ready": 1,
		"/health to answer 200-299: timed out; last seen: GET http": 1,
		"/health answered 503 Service Unavailable":                  1,
		"Not updated: the rollout ended with virtual machine":       2,
		"Nothing was changed here.":                                 2,
	} {
		if n := strings.Count(output, phrase); n != times {
			t.Errorf("%q is there %d times, want %d:\n%s", phrase, n, times, output)
		}
	}

	if output, err := apply("trixie"); err != nil {
		t.Fatal(output)
	}
	expect("after the fix", "map[200 trixie:3]")
	if power := e.Power(); power.MaxDown != 1 || power.Down != 0 {
		t.Errorf("%d were down at once, %d are", power.MaxDown, power.Down)
	}
	if output, err := w.run("plan", "-detailed-exitcode", "-no-color"); err != nil {
		t.Errorf("something is left to do:\n%s", output)
	}
}
