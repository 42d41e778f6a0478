package cloudserver_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// TestNewRefusesBadConfiguration: values that TestBadProviderBlock (internal/provider) does not cover.
func TestNewRefusesBadConfiguration(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		config cloudserver.Config
		field  string
		holds  string
	}{
		"no endpoint": {config: cloudserver.Config{}, field: "endpoint", holds: "required"},
		"no scheme": {
			config: cloudserver.Config{Endpoint: "api.example.com"},
			field:  "endpoint",
			holds:  "https://api.example.com",
		},
		"other scheme": {
			config: cloudserver.Config{Endpoint: "ftp://api.example.com"},
			field:  "endpoint",
			holds:  "must be a URL",
		},
		"plain http": {
			config: cloudserver.Config{Endpoint: "http://api.example.com"},
			field:  "endpoint",
			holds:  "allow_http",
		},
		"plain http for log-ins": {
			config: cloudserver.Config{Endpoint: "https://a.example", AuthEndpoint: "http://a.example"},
			field:  "auth_endpoint",
			holds:  "allow_http",
		},
		"session for a day": {
			config: cloudserver.Config{Endpoint: testEndpoint, SessionValidity: 24 * time.Hour},
			field:  "session_validity",
			holds:  "between one minute and one hour, not 24h",
		},
		"broken password": {
			config: cloudserver.Config{Endpoint: testEndpoint, Username: "demo", Password: "secret\n"},
			field:  "password",
			holds:  "line break",
		},
		"quoted token": {
			config: cloudserver.Config{Endpoint: testEndpoint, Token: `"secret"`},
			field:  "token",
			holds:  "is in quotes",
		},
		"token with a variable": {
			config: cloudserver.Config{Endpoint: testEndpoint, Token: "CLOUDSERVER_TOKEN=secret"},
			field:  "token",
			holds:  "begins with the name of a variable",
		},
		"masked token": {
			config: cloudserver.Config{Endpoint: testEndpoint, Token: "***"},
			field:  "token",
			holds:  "consists of asterisks",
		},
		"broken token": {
			config: cloudserver.Config{Endpoint: testEndpoint, Token: "secret\nX: y"},
			field:  "token",
			holds:  "line break",
		},
	} {
		_, err := cloudserver.New(test.config)
		at, _ := errors.AsType[*cloudserver.ConfigError](err)
		if at == nil || at.Field != test.field || !strings.Contains(at.Error(), test.holds) || strings.Contains(at.Error(), "secret") {
			t.Errorf("%s: got %v, want %q at %s", name, err, test.holds, test.field)
		}
	}
}

// TestNewAcceptsTokens that resemble the ones which are refused: padded base64, other assignments, a part of it masked.
func TestNewAcceptsTokens(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"", "apikey.demo", "QUJD=", "QUI=", "QUJDRA==", "ABCD=", "ABCD==", "key=value", "A.B=C", "7AB=C", "***a"} {
		if _, err := cloudserver.New(cloudserver.Config{Endpoint: testEndpoint, Token: token}); err != nil {
			t.Errorf("%q: %v", token, err)
		}
	}
}

func TestNewAcceptsPlainHTTP(t *testing.T) {
	t.Parallel()
	for endpoint, allow := range map[string]bool{
		"http://127.0.0.1:8787": false, "http://[::1]:8787/": false, "http://localhost": false, "http://LOCALHOST:8787": false, "http://api.example.com": true,
	} {
		client, err := cloudserver.New(cloudserver.Config{Endpoint: endpoint, AllowHTTP: allow})
		if err != nil {
			t.Errorf("%s: %v", endpoint, err)
			continue
		}
		if client.Endpoint() != endpoint {
			t.Errorf("endpoint %q became %q", endpoint, client.Endpoint())
		}
	}
}

func TestPrintsShowNoSecret(t *testing.T) {
	t.Parallel()
	config := cloudserver.Config{Endpoint: testEndpoint, Token: "marker", Password: "marker"}
	reimage := cloudserver.Reimage{Distribution: "bookworm", RootPassword: "marker", FirstbootScript: "marker"}
	for _, format := range []string{"%v", "%+v", "%s"} {
		for _, value := range []any{config, reimage, &reimage, cloudserver.VirtualMachineCreate{Reimage: &reimage}} {
			if text := fmt.Sprintf(format, value); strings.Contains(text, "marker") {
				t.Errorf("%s of %T shows a secret: %s", format, value, text)
			}
		}
	}
}
