package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// VirtualMachineCreate is the body of vm_create (API.md §7).
type VirtualMachineCreate struct {
	VirtualMachine VirtualMachineSpec `json:"virtual_machine"`
	Discs          []DiscSpec         `json:"discs,omitempty"`
	Reimage        *Reimage           `json:"reimage,omitempty"`
	IPs            *IPs               `json:"ips,omitempty"`

	// NameIsFree means that this process has seen that no machine has the name. Otherwise [Client.CreateVirtualMachine]
	// looks before the request: only a name that was free shows that a machine with it is new.
	NameIsFree bool `json:"-"`
}

// VirtualMachineSpec is the requested machine. Nil fields are not sent: the service chooses their values.
type VirtualMachineSpec struct {
	Name     string  `json:"name"`
	ZoneName *string `json:"zone_name,omitempty"`
	Settings
}

// IPs are the requested addresses, on a private VLAN only. "" leaves the choice to the service (API.md §7).
type IPs struct {
	IPv4 string `json:"ipv4,omitempty"`
	IPv6 string `json:"ipv6,omitempty"`
}

// CreateVirtualMachine creates a machine with its discs and image (API.md §7). The work continues in the background
// after it returns.
//
// After an ambiguous result the machine is looked up by its name. One that has the requested specification is returned,
// because the name was free before; Unconfirmed is set unless the service answered with success. If there is none, the
// request is sent again: names are unique, so the first request cannot become a second machine later.
//
// If the name is taken, the error is a *NameTaken. If it remains unknown what was created, the error is an
// *AmbiguousError.
func (c *Client) CreateVirtualMachine(
	ctx context.Context, account, group string, create VirtualMachineCreate,
) (*VirtualMachine, error) {
	name := create.VirtualMachine.Name
	if create.Reimage != nil {
		ctx = WithSecrets(ctx, create.Reimage.Secrets()...)
	}
	creation := creation[VirtualMachine]{
		client: c, isFree: create.NameIsFree,
		taken: NameTaken{Kind: "virtual machine", Account: account, Group: group, Name: name},
		post: func(ctx context.Context) (*VirtualMachine, error) {
			return c.vmCreate(ctx, account, group, create)
		},
		lookUp: func(ctx context.Context) (*VirtualMachine, error) {
			return c.VirtualMachineByName(ctx, account, group, name, IncludeDeleted)
		},
		fits:  create.isFulfilledBy,
		id:    func(found *VirtualMachine) (int64, bool) { return found.ID, found.Deleted },
		adopt: func(found *VirtualMachine, failure error) { found.Unconfirmed = failure },
	}
	return creation.run(ctx)
}

// vmCreate sends one vm_create.
func (c *Client) vmCreate(
	ctx context.Context, account, group string, create VirtualMachineCreate,
) (*VirtualMachine, error) {
	answer, err := c.do(ctx, call{
		method: http.MethodPost, path: groupPath(account, group, "vm_create"), body: create, once: true, finish: true,
	})
	if err != nil {
		return nil, err
	}
	if answer.isEmpty() {
		return nil, answer.unreadable(errEmpty)
	}
	var created struct {
		VirtualMachine VirtualMachine `json:"virtual_machine"`
		Discs          []Disc         `json:"discs"`
	}
	if err := answer.decode(&created); err != nil {
		return nil, err
	}
	vm := &created.VirtualMachine
	if vm.ID == 0 {
		return nil, answer.unreadable(errors.New("it describes no virtual machine"))
	}
	if created.Discs != nil {
		vm.Discs = created.Discs
	}
	return vm, nil
}

// isFulfilledBy reports whether a machine has the requested specification. Values are compared if they were both
// requested and reported. Power is not compared, because the machine may still be starting.
func (c VirtualMachineCreate) isFulfilledBy(vm *VirtualMachine) bool {
	wanted := c.VirtualMachine
	return !vm.Deleted &&
		agrees(wanted.Cores, vm.Cores) &&
		agrees(wanted.Memory, vm.Memory) &&
		agrees(wanted.ZoneName, vm.ZoneName) &&
		discsAgree(c.Discs, vm.Discs) &&
		(c.Reimage == nil || agrees(&c.Reimage.Distribution, vm.LastImagedWith))
}

// agrees reports whether the values are equal, or one of them is missing.
func agrees[T comparable](wanted, found *T) bool {
	return wanted == nil || found == nil || *wanted == *found
}

// discsAgree reports whether each disc that was found was requested. Requested discs that are missing may still be
// added.
func discsAgree(wanted []DiscSpec, found []Disc) bool {
	if len(wanted) == 0 {
		return true
	}
	for _, disc := range found {
		if !slices.ContainsFunc(wanted, func(spec DiscSpec) bool {
			return SameLabel(spec.Label, disc.Label) && spec.Size == disc.Size &&
				(spec.StorageGrade == "" || disc.StorageGrade == "" || spec.StorageGrade == disc.StorageGrade)
		}) {
			return false
		}
	}
	return true
}

const (
	// shortestPause and longestPause are the bounds of the pauses between two look-ups, which double.
	shortestPause = 100 * time.Millisecond
	longestPause  = 3 * time.Second

	finalLook = 5 * time.Second // limit of the look-up after an interrupt
)

// creation creates one machine or group. Its name is unique in the place where it is created, so that it can be looked up
// after an ambiguous result, and a second request is refused if the first one took effect.
type creation[T any] struct {
	client *Client
	taken  NameTaken // the name, and the place where it is unique
	isFree bool      // nobody had the name a moment ago

	post   func(context.Context) (*T, error)
	lookUp func(context.Context) (*T, error) // by name
	fits   func(*T) bool                     // it is as requested
	id     func(*T) (id int64, deleted bool)
	adopt  func(found *T, failure error) // marks an object that the service has not confirmed

	began    time.Time // when run sent the first request
	requests int       // that run has sent
}

// run requests the object until it exists, until it is certain that it does not, or until it was tried for too long: the
// service answers 500 to concurrent creations in a group while it allocates addresses (API.md §7).
func (c creation[T]) run(ctx context.Context) (*T, error) {
	if err := c.checkFree(ctx); err != nil {
		return nil, err
	}
	c.began, c.requests = time.Now(), 1
	object, failure := c.post(ctx)
	if IsNameTaken(failure) {
		return nil, c.nameTaken(nil, failure)
	}
	if failure == nil || !IsAmbiguous(failure) {
		return object, failure
	}
	for attempt := 0; ; attempt++ {
		wasDone := errors.Is(failure, errUnreadable) // 2xx
		c.pause(ctx, attempt, wasDone)
		found, err := c.find(ctx)
		switch {
		case err == nil:
			return c.judge(found, failure)
		case !IsNotFound(err) && !errors.Is(err, ErrNotDescribed):
			return nil, c.ambiguous(failure, err)
		case ctx.Err() != nil, c.client.maxRetries == 0, time.Since(c.began) > patience:
			return nil, c.ambiguous(failure, nil)
		case wasDone, errors.Is(err, ErrNotDescribed):
			continue
		}
		c.requests++
		object, err = c.post(ctx)
		if err == nil {
			return object, nil
		}
		if !IsAmbiguous(err) && !IsTaken(err) {
			return nil, c.ambiguous(err, nil) // a refusal says nothing about earlier attempts
		}
		failure = err
	}
}

// checkFree returns an error if another object has the name.
func (c creation[T]) checkFree(ctx context.Context) error {
	if c.isFree {
		return nil
	}
	holder, err := c.lookUp(ctx)
	switch {
	case err == nil:
		return c.nameTaken(holder, nil)
	case errors.Is(err, ErrNotDescribed):
		return c.nameTaken(nil, err)
	case IsNotFound(err):
		return nil
	}
	return err
}

// pause waits before the object is looked up, because the service may still be working on it. After an interrupt it does
// not wait.
func (c creation[T]) pause(ctx context.Context, attempt int, wasDone bool) {
	wait := min(backoff(attempt, -1), 3*longestPause)
	if wasDone {
		wait = min(shortestPause<<min(attempt, 10), longestPause)
	}
	_ = Pause(ctx, wait) // an interrupt ends the wait, and the caller looks a last time
}

// find looks the object up by its name, also after an interrupt, so that the caller knows what exists.
func (c creation[T]) find(ctx context.Context) (found *T, err error) {
	if ctx.Err() == nil {
		return c.lookUp(ctx)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), finalLook)
	defer cancel()
	return c.lookUp(last)
}

// judge decides whether an object with the name is the requested one.
func (c creation[T]) judge(found *T, failure error) (*T, error) {
	if !c.fits(found) {
		return nil, c.nameTaken(found, failure)
	}
	if !errors.Is(failure, errEmpty) { // an empty answer confirms the creation
		c.adopt(found, failure)
	}
	return found, nil
}

func (c creation[T]) ambiguous(failure, lookErr error) error {
	return &AmbiguousError{
		What: fmt.Sprintf("%s %q", c.taken.Kind, c.taken.Name), Err: failure, LookErr: lookErr,
		Requests: c.requests, Took: time.Since(c.began),
	}
}

// nameTaken returns the error for a name that another object has. holder is nil if that object is unknown.
func (c creation[T]) nameTaken(holder *T, failure error) error {
	refused := c.taken
	refused.Err = failure
	if holder != nil {
		refused.ID, refused.Deleted = c.id(holder)
	}
	return &refused
}

// AmbiguousError is a creation that failed, and that may or may not have created the object.
type AmbiguousError struct {
	What    string // `virtual machine "web1"`
	Err     error  // of the creation
	LookErr error  // of the look-up by name; nil: it has found nothing so far

	Requests int           // that were sent
	Took     time.Duration // from the first request on
}

// Error describes the failure of the creation and what is known about its result.
func (e *AmbiguousError) Error() string {
	failure := e.Err.Error()
	if e.Requests > 1 {
		failure += fmt.Sprintf(" (tried %d times in %s)", e.Requests, e.Took.Round(time.Second))
	}
	if e.LookErr != nil {
		return fmt.Sprintf("%s; cannot find out whether %s exists: %v", failure, e.What, e.LookErr)
	}
	return fmt.Sprintf("%s; %s does not exist so far, but the service may still be creating it", failure, e.What)
}

// Unwrap returns the causes.
func (e *AmbiguousError) Unwrap() []error {
	if e.LookErr == nil {
		return []error{e.Err}
	}
	return []error{e.Err, e.LookErr}
}

// NameTaken is the refusal of a creation because another machine or group has the name. No object was created.
type NameTaken struct {
	Kind                 string // "virtual machine" or "group"
	Account, Group, Name string // Group: of the machine; "" for a group
	ID                   int64  // of the object with the name; 0: unknown
	Deleted              bool   // the object is a soft-deleted machine
	Err                  error  // the refusal; nil: the name was seen to be taken before the request
}

// Error names the object that has the name.
func (e *NameTaken) Error() string {
	where := fmt.Sprintf("group %q of account %q", e.Group, e.Account)
	if e.Group == "" {
		where = fmt.Sprintf("account %q", e.Account)
	}
	who := "another " + e.Kind
	if e.ID != 0 {
		who = fmt.Sprintf("%s %d", e.Kind, e.ID)
	}
	if e.Deleted {
		who += ", which is soft-deleted"
	}
	text := fmt.Sprintf("the name %q is taken in %s by %s", e.Name, where, who)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the service's refusal.
func (e *NameTaken) Unwrap() error { return e.Err }

// takenFor is how long a request is tried again while another object has the name or the address: the same apply may
// still be deleting it.
const takenFor = 30 * time.Second

// RetryTaken calls attempt until its error is not one of a taken name or address (see [IsTaken]), for at most 30 seconds.
// A soft-deleted machine keeps its name, so an error that names one is returned at once.
//
// After such an error of a creation, the name is not known to be free: see [VirtualMachineCreate].
func RetryTaken(ctx context.Context, attempt func() error) error {
	began := time.Now()
	for number := 0; ; number++ {
		err := attempt()
		wait := min(backoff(number, -1), 2*longestPause)
		if !IsTaken(err) || isKept(err) || time.Since(began)+wait > takenFor || Pause(ctx, wait) != nil {
			return err
		}
	}
}

// isKept reports whether a soft-deleted machine has the name.
func isKept(err error) bool {
	taken, ok := errors.AsType[*NameTaken](err)
	return ok && taken.Deleted
}
