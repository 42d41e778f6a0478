package fleet

import (
	"sync"
	"time"
)

// Domains are the cluster domains that the service has reported to this process. The zero value is empty and ready for
// use.
type Domains struct {
	// Service is the domain, with its leading dot, with which the hostnames of all machines end. It is "" if it is not
	// known without a request.
	Service string

	reported sync.Map // of [reported], by the ID of a machine or the name of an account
}

// reported is a domain, and when it was last requested on purpose.
type reported struct {
	domain string
	asked  time.Time
}

func (d *Domains) of(key any) reported {
	value, _ := d.reported.Load(key)
	known, _ := value.(reported)
	return known
}

// Machine returns the domain of a machine, or "" if this process has not read it.
func (d *Domains) Machine(id int64) string { return d.of(id).domain }

// SetMachine notes the domain of a machine.
func (d *Domains) SetMachine(id int64, domain string) { d.reported.Store(id, reported{domain: domain}) }

// Account returns the domain of an account's machines, or "" if this process has not seen it.
func (d *Domains) Account(account string) string { return d.of(account).domain }

// SetAccount notes the domain of an account's machines. "" is ignored. asked is when the answer was requested; zero: it
// was a read for another purpose, which does not replace an answer that was requested on purpose.
func (d *Domains) SetAccount(account, domain string, asked time.Time) {
	if domain != "" && !d.of(account).asked.After(asked) {
		d.reported.Store(account, reported{domain, asked})
	}
}

// forgetBefore forgets the domains of accounts that were not requested after this time.
func (d *Domains) forgetBefore(since time.Time) {
	d.reported.Range(func(key, _ any) bool {
		if _, isAccount := key.(string); isAccount && !d.of(key).asked.After(since) {
			d.reported.Delete(key)
		}
		return true
	})
}
