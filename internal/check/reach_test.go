package check_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/check"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
)

// TestNamesakeOfTheID: somebody's machine has the ID of the check's machine as its name. The check sends it nothing, and
// says what it leaves behind.
func TestNamesakeOfTheID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		checked := func(name string) (*emulator.Emulator, int64, string) {
			e := acctest.NewEmulator(t, emulator.Options{BootTime: time.Second})
			id := e.AddMachine(emulator.DemoAccount, emulator.DefaultGroup, emulator.Machine{Name: name, PowerOn: true, AutorebootOn: true})
			_, report := run(t, e, func(o *check.Options) { o.Machine = "check1" })
			return e, id, report
		}
		e, _, _ := checked("web1")
		created := ""
		for _, request := range e.Journal() {
			if at := regexp.MustCompile(`/virtual_machines/(\d+)`).FindStringSubmatch(request.Path); request.Method == http.MethodPut && at != nil {
				created = at[1]
			}
		}
		e, id, report := checked(created)
		if stranger, lives := e.Machine(id); !lives || stranger.Deleted || !stranger.PowerOn || stranger.Name != created {
			t.Errorf("the stranger is %+v", stranger)
		}
		for _, request := range e.Journal() {
			if request.Method != http.MethodGet && strings.Contains(request.Path, "/virtual_machines/"+created) {
				t.Errorf("sent %s %s", request.Method, request.Path)
			}
		}
		for _, want := range []string{fmt.Sprintf("the path of virtual machine %s leads to the machine %q", created, created), fmt.Sprintf(`the machine "check1" (ID %s) is left behind: purge it by hand`, created)} {
			if !strings.Contains(report, want) {
				t.Errorf("want %q in:\n%s", want, report)
			}
		}
	})
}
