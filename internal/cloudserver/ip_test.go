package cloudserver_test

import (
	"strings"
	"testing"
)

func TestIP(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body  string
		rdns  string // "" for none
		fails string // part of the error; "": success
	}{
		"address":           {`{"address":"2001:db8::7","rdns":"a.example"}`, "a.example", ""},
		"ip":                {`{"ip":"2001:DB8:0::7","rdns":"a.example"}`, "a.example", ""},
		"neither":           {`{"rdns":"a.example"}`, "a.example", ""},
		"no name":           {`{"address":"2001:db8::7","rdns":null}`, "", ""},
		"another address":   {`{"address":"2001:db8::8","rdns":"a.example"}`, "", "another address: 2001:db8::8 instead of 2001:db8::7"},
		"another by ip":     {`{"ip":"192.0.2.1","rdns":"a.example"}`, "", "another address: 192.0.2.1"},
		"something else":    {`[]`, "", "not understood"},
		"nothing":           {``, "", "it is empty"},
		"an odd address":    {`{"address":"seven","rdns":"a.example"}`, "a.example", ""},
		"mapped to another": {`{"address":"::ffff:192.0.2.1"}`, "", "another address"},
	} {
		ip, err := newClient(t, serve(answer(200, test.body))).IP(t.Context(), "2001:db8::7")
		switch {
		case test.fails != "":
			if err == nil || !strings.Contains(err.Error(), test.fails) || ip != nil {
				t.Errorf("%s: got %+v, %v; want an error that says %q", name, ip, err, test.fails)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case ip.RDNS == nil != (test.rdns == "") || ip.RDNS != nil && *ip.RDNS != test.rdns:
			t.Errorf("%s: got %+v", name, ip)
		}
	}
}

func TestSetRDNSAnswers(t *testing.T) {
	t.Parallel()
	for body, fails := range map[string]string{
		"": "", "{}": "", `{"ip":"192.0.2.1","rdns":"a.example"}`: "", `{"address":"::ffff:192.0.2.1"}`: "",
		`{"address":"192.0.2.2"}`: "another address: 192.0.2.2 instead of 192.0.2.1", "<html>": "page for a browser",
	} {
		err := newClient(t, serve(answer(200, body))).SetRDNS(t.Context(), "192.0.2.1", "a.example")
		if fails == "" && err != nil || fails != "" && (err == nil || !strings.Contains(err.Error(), fails)) {
			t.Errorf("%s: got %v, want %q", body, err, fails)
		}
	}
}
