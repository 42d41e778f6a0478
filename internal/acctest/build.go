package acctest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// BuildProvider builds the provider of this repository, and returns the path of the program. All test packages have the
// same one, which is linked again only if the code has changed.
var BuildProvider = sync.OnceValues(func() (path string, err error) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	dir := filepath.Join(strings.TrimSpace(string(module)), "build", "test")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, "terraform-provider-cloudserver")
	build := exec.Command("go", "build", "-o", path, "github.com/cloudserver/terraform-provider-cloudserver")
	// In the same file system, the new program replaces one that is running.
	build.Env = append(os.Environ(), "GOTMPDIR="+dir)
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the provider: %w\n%s", err, output)
	}
	return path, nil
})
