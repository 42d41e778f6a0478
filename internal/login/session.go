package login

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// issuer opens sessions.
type issuer struct{ config cloudserver.Config }

// newIssuer returns an issuer with the provider's environment variables. Username and password may still be missing.
func newIssuer(validity time.Duration, version string) (*issuer, error) {
	config := cloudserver.Config{
		Endpoint: os.Getenv("CLOUDSERVER_ENDPOINT"), AuthEndpoint: os.Getenv("CLOUDSERVER_AUTH_ENDPOINT"),
		Username: os.Getenv("CLOUDSERVER_USERNAME"), Password: os.Getenv("CLOUDSERVER_PASSWORD"),
		SessionValidity: validity, UserAgent: "terraform-provider-cloudserver/" + version,
	}
	if validity < cloudserver.MinimumSessionValidity || validity > cloudserver.MaxSessionValidity {
		return nil, fmt.Errorf("--session-validity must be between one minute and one hour, not %s", validity)
	}
	if config.AuthEndpoint != "" { // the only address that a login needs
		config.Endpoint = config.AuthEndpoint
	}
	if config.Endpoint == "" {
		return nil, errors.New("set CLOUDSERVER_ENDPOINT, or CLOUDSERVER_AUTH_ENDPOINT, to the base URL that issues sessions")
	}
	var err error
	if config.CACertificate, err = cloudserver.ReadPEM(os.Getenv("CLOUDSERVER_CA_CERTIFICATE")); err != nil {
		return nil, fmt.Errorf("CLOUDSERVER_CA_CERTIFICATE: %w", err)
	}
	checked := config
	checked.Username, checked.Password = "", "" // one of them may be asked for
	if _, err := cloudserver.New(checked); err != nil {
		return nil, err
	}
	return &issuer{config}, nil
}

// open opens a session. The code of a second factor may be empty.
func (s *issuer) open(ctx context.Context, code string) (string, error) {
	client, err := cloudserver.New(s.config)
	if err != nil {
		return "", err
	}
	return client.OpenSession(ctx, code)
}

// needsCode reports whether another code may open the session that was refused.
func needsCode(err error, code string) bool {
	if code == "" {
		return cloudserver.IsCodeMissing(err)
	}
	return cloudserver.IsUnauthorized(err)
}
