package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator/guest"
)

// guestPorts returns the ports on which guests answer.
func (c *Command) guestPorts() guest.Ports {
	ports := guest.Ports{}
	for protocol, port := range map[guest.Protocol]uint{guest.Greeting: c.GuestPort, guest.HTTP: c.GuestHTTP, guest.SSH: c.GuestSSH} {
		if port > 0 {
			ports[protocol] = uint16(port)
		}
	}
	return ports
}

// serveGuests serves guests, if any port is configured.
func (c *Command) serveGuests(ctx context.Context, e *emulator.Emulator, stderr io.Writer) (*guest.Host, error) {
	ports := c.guestPorts()
	if len(ports) == 0 {
		return nil, nil
	}
	host, err := guest.Serve(ctx, e, ports, stderr)
	if err != nil {
		return nil, fmt.Errorf("--guest-port, --guest-http, --guest-ssh: %w", err)
	}
	return host, nil
}

// guestShown is a guest in a list.
type guestShown struct {
	emulator.Guest
	SSHHostKey string `json:"ssh_host_key"` // public key
}

func (d *desk) listGuests() map[string]any {
	list, ports := []guestShown{}, map[guest.Protocol]uint16{}
	if d.guests != nil {
		guests, _, _ := d.emulator.Guests()
		for _, g := range guests {
			list = append(list, guestShown{g, guest.PublicKey(g)})
		}
		for _, protocol := range []guest.Protocol{guest.Greeting, guest.HTTP, guest.SSH} {
			ports[protocol] = d.guests.Port(protocol)
		}
	}
	return map[string]any{"port": ports[guest.Greeting], "http_port": ports[guest.HTTP], "ssh_port": ports[guest.SSH], "guests": list}
}

// setGuest changes the answers of a machine's guest.
func (d *desk) setGuest(r *http.Request) (any, error) {
	var wanted struct {
		Deaf       *bool
		HTTPStatus *int    `json:"http_status"`
		SSHHostKey *string `json:"ssh_host_key"`
	}
	if err := readObject(r, &wanted); err != nil {
		return nil, err
	}
	if wanted.Deaf == nil && wanted.HTTPStatus == nil && wanted.SSHHostKey == nil {
		return nil, errors.New(`send {"deaf": true} or {"deaf": false}, {"http_status": 503}, or {"ssh_host_key": "-----BEGIN …"}`)
	}
	if wanted.HTTPStatus != nil {
		if err := checkStatus(*wanted.HTTPStatus); err != nil {
			return nil, err
		}
	}
	if wanted.SSHHostKey != nil && *wanted.SSHHostKey != "" {
		if err := guest.CheckKey(*wanted.SSHHostKey); err != nil {
			return nil, fmt.Errorf("ssh_host_key %w", err)
		}
	}
	m, err := d.machine(r.PathValue("machine"))
	if err != nil {
		return nil, failure{http.StatusNotFound, err}
	}
	there := wanted.Deaf == nil || d.emulator.SetDeaf(m.ID, *wanted.Deaf)
	there = there && (wanted.HTTPStatus == nil || d.emulator.SetHTTPStatus(m.ID, *wanted.HTTPStatus))
	if !there || wanted.SSHHostKey != nil && !d.emulator.SetSSHHostKey(m.ID, *wanted.SSHHostKey) {
		return nil, failure{http.StatusNotFound, errors.New("the virtual machine has just gone")}
	}
	return nil, nil
}

// setImage changes the answers of all guests with an image, as a new release of an application would.
func (d *desk) setImage(r *http.Request) (any, error) {
	var wanted struct {
		HTTPStatus *int `json:"http_status"`
	}
	if err := readObject(r, &wanted); err != nil {
		return nil, err
	}
	if wanted.HTTPStatus == nil {
		return nil, errors.New(`send {"http_status": 503}, or 0 for 200`)
	}
	if err := checkStatus(*wanted.HTTPStatus); err != nil {
		return nil, err
	}
	d.emulator.SetImageStatus(r.PathValue("distribution"), *wanted.HTTPStatus)
	return nil, nil
}

// checkStatus refuses what is not the status of a final HTTP answer. 0 restores the default.
func checkStatus(status int) error {
	if status != 0 && (status < 200 || status > 599) {
		return fmt.Errorf("http_status is %d: it must be from 200 to 599, or 0 for the usual one", status)
	}
	return nil
}
