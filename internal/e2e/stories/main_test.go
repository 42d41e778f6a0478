package stories

import (
	"errors"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

// client and account are of the service under test.
var (
	client  *cloudserver.Client
	account string
)

// TestMain runs the tests or, with -sweep=ACCOUNT, the sweepers.
func TestMain(m *testing.M) {
	flag.Parse()
	sweeping := flag.Lookup("sweep").Value.String() != ""
	clean, err := prepare(sweeping)
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "testacc:", errors.Join(err, clean()))
		os.Exit(1)
	}
	resource.TestMain(run{m, clean}) // it exits
}

// run is the tests, and what has to be removed after them.
type run struct {
	*testing.M
	clean func() error
}

// Run implements the interface of resource.TestMain.
func (r run) Run() int {
	code := r.M.Run()
	if err := r.clean(); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, "testacc:", err)
		return 1
	}
	return code
}

// prepare chooses the service. Without TF_ACC a developer's own is never touched.
func prepare(sweeping bool) (clean func() error, err error) {
	clean = func() error { return nil }
	named := os.Getenv("CLOUDSERVER_ENDPOINT") != "" && (sweeping || os.Getenv("TF_ACC") != "")
	switch {
	case sweeping && !named:
		return clean, errors.New("-sweep needs the service in CLOUDSERVER_ENDPOINT and the other variables")
	case sweeping:
	case named:
		clean, err = acctest.Prepare("CLOUDSERVER_")
	default:
		if clean, err = acctest.Prepare(); err == nil {
			err = useEmulator()
		}
	}
	if err != nil {
		return clean, err
	}
	config, name, _, err := provider.Environment("test", provider.Emulator{})
	if err == nil {
		client, err = cloudserver.New(config)
	}
	if err == nil && !sweeping && name == "" {
		err = errors.New("the tests need an account: set CLOUDSERVER_ACCOUNT")
	}
	account = name
	return clean, err
}

// useEmulator starts an emulator that lives as long as this process, and names it in the environment.
func useEmulator() error {
	server := httptest.NewServer(emulator.New(emulator.Options{}))
	return errors.Join(
		os.Setenv("CLOUDSERVER_ENDPOINT", server.URL),
		os.Setenv("CLOUDSERVER_TOKEN", emulator.DemoAPIKey),
		os.Setenv("CLOUDSERVER_ACCOUNT", emulator.DemoAccount),
	)
}
