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
	if u.CDROMURL == nil || u.CDROMURL.Value == nil {
		return ""
	}
	return cdromURL
}

func (c VirtualMachineCreate) suspect() string {
	if c.VirtualMachine.CDROMURL == nil || c.VirtualMachine.CDROMURL.Value == nil || *c.VirtualMachine.CDROMURL.Value == "" {
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
