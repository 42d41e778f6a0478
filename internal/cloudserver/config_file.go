package cloudserver

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// maxFile is the maximum size in bytes of a file that the configuration names.
const maxFile = 1 << 20

var errEmpty = errors.New("is empty")

// ReadFile reads a small file that the configuration names. Devices and pipes are refused, because they may block or
// have no end.
func ReadFile(path string) ([]byte, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // a pipe without a writer blocks otherwise
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it is only read
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1)) // regardless of the reported size
	switch {
	case err != nil:
		return nil, err
	case len(content) > maxFile:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, maxFile>>20)
	case strings.TrimSpace(string(content)) == "":
		return nil, fmt.Errorf("%s %w", path, errEmpty)
	}
	return content, nil
}

// ReadPEM returns a PEM text unchanged, the content of a file if value is its name, and "" for "".
func ReadPEM(value string) (string, error) {
	if value == "" || strings.Contains(value, "-----BEGIN") {
		return value, nil
	}
	content, err := ReadFile(value)
	return string(content), err
}

// ParseCertificates returns the system's roots with the certificates of a PEM text added, or nil for "".
func ParseCertificates(text string) (*x509.CertPool, error) {
	if text == "" {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a system without roots still gets the given ones
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM([]byte(text)) {
		return nil, &ConfigError{"ca_certificate", "contains no certificate in PEM form (-----BEGIN CERTIFICATE-----) that can be read"}
	}
	return pool, nil
}

// CheckTokenFile reports whether others can read a token file. It returns an error if the file cannot be used. A file
// that does not exist, is empty or cannot be read is not an error, because it may be written later.
func CheckTokenFile(path string) (othersCanRead bool, err error) {
	if _, err := readToken(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, errEmpty) {
			return false, nil
		}
		return false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0, nil
}

// readToken reads the token from a file. The token is a credential of this process from then on. Errors do not contain it.
func readToken(path string) (string, error) {
	content, err := ReadFile(path)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(content))
	if mistake := tokenMistake(token); mistake != "" {
		return "", fmt.Errorf("%s contains a token that %s", path, mistake)
	}
	if !isHeaderSafe(token) {
		return "", fmt.Errorf("%s does not contain a token: a token is one word of printable ASCII characters", path)
	}
	transport.AddCredentials(token)
	return token, nil
}
