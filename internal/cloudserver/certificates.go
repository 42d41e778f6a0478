package cloudserver

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// parseCertificates adds the certificates of a PEM text to the system's roots. It
// returns nil for no text.
func parseCertificates(text string) (*x509.CertPool, error) {
	if text == "" {
		return nil, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil { // a system without roots still has the ones given here
		pool = x509.NewCertPool()
	}
	added := 0
	for rest := []byte(text); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			return nil, &ConfigError{caCertificate, fmt.Sprintf("contains a %s, not only certificates", strings.ToLower(transport.Shorten(transport.OneLine(block.Type), transport.LongestName)))}
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil { // its text may quote the certificate
			return nil, &ConfigError{caCertificate, fmt.Sprintf("contains a certificate that cannot be read, number %d", added+1)}
		}
		pool.AddCert(certificate)
		added++
	}
	if added == 0 {
		return nil, &ConfigError{caCertificate, "contains no certificate in PEM form (-----BEGIN CERTIFICATE-----)"}
	}
	return pool, nil
}

const caCertificate = "ca_certificate"
