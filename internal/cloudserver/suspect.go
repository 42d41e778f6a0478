package cloudserver

import "errors"

// suspicious is a request body with an attribute that the service may answer
// with 500 and nothing else (API.md §3).
type suspicious interface {
	// suspect returns the attribute's name, "" if it was not sent.
	suspect() string
}

const cdromURL = "cdrom_url"

func (u VirtualMachineUpdate) suspect() string {
	return u.Settings.suspect()
}

func (c VirtualMachineCreate) suspect() string { return c.VirtualMachine.Settings.suspect() }

func (s Settings) suspect() string {
	if url := s.CDROMURL.value(); url == nil || *url == "" {
		return ""
	}
	return cdromURL
}

// hasSuspect reports whether a request failed in a way that repeating it does not
// mend.
func hasSuspect(err error) bool {
	answer, ok := errors.AsType[*Error](err)
	return ok && answer.Suspect != ""
}
