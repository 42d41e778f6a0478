package check

import (
	"context"
	"errors"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// service makes calls with the provider's own client, and keeps what later calls need.
type service struct {
	client   *cloudserver.Client
	body     []byte // of the last answer
	accounts []string
	groups   []string
	machine  *machine // of the group; nil: there is none
}

// machine is a machine to read.
type machine struct {
	id      int64
	name    string
	disc    int64  // 0: it has none
	address string // "": it has none
}

func newService(config cloudserver.Config) (*service, error) {
	s := &service{}
	config.MaxRetries = new(1)
	config.Observe = func(answer cloudserver.Observation) { s.body = answer.Body }
	var err error
	s.client, err = cloudserver.New(config)
	return s, err
}

// isAnswered reports whether the service has answered.
func isAnswered(err error) bool {
	return cloudserver.StatusCode(err) != 0 && !cloudserver.IsUnauthorized(err)
}

// errorOf drops the result of a call: its fields are looked for in the answer as received.
func errorOf[T any](_ T, err error) error { return err }

func (s *service) definitions(ctx context.Context) error { return errorOf(s.client.Definitions(ctx)) }

func (s *service) listAccounts(ctx context.Context) error {
	accounts, err := s.client.Accounts(ctx)
	for _, account := range accounts {
		s.accounts = append(s.accounts, account.Name)
	}
	return err
}

func (s *service) readAccount(account string) func(context.Context) error {
	return func(ctx context.Context) error { return errorOf(s.client.Account(ctx, account)) }
}

func (s *service) listGroups(account string) func(context.Context) error {
	return func(ctx context.Context) error {
		groups, err := s.client.Groups(ctx, account)
		for _, group := range groups {
			s.groups = append(s.groups, group.Name)
		}
		return err
	}
}

func (s *service) readGroup(account, group string) func(context.Context) error {
	return func(ctx context.Context) error { return errorOf(s.client.Group(ctx, account, group)) }
}

// listMachines keeps the first machine that is not soft-deleted.
func (s *service) listMachines(account, group string) func(context.Context) error {
	return func(ctx context.Context) error {
		all, err := s.client.VirtualMachines(ctx, account, group, cloudserver.IncludeDeleted)
		for _, vm := range all {
			if s.machine == nil && !vm.Deleted {
				s.machine = machineOf(vm)
			}
		}
		return err
	}
}

func machineOf(vm cloudserver.VirtualMachine) *machine {
	m := &machine{id: vm.ID, name: vm.Name}
	if len(vm.Discs) > 0 {
		m.disc = vm.Discs[0].ID
	}
	if cards := vm.NetworkInterfaces; len(cards) > 0 && len(cards[0].IPs) > 0 {
		m.address = cards[0].IPs[0]
	}
	return m
}

// readUnknownMachine reads a machine that does not exist. That is how the provider learns that a machine is gone.
func (s *service) readUnknownMachine(ctx context.Context) error {
	const noMachine = 1 << 52
	_, err := s.client.VirtualMachine(ctx, noMachine)
	switch {
	case cloudserver.IsNotFound(err):
		return nil
	case err == nil:
		return errors.New("a machine")
	}
	return err
}

func (s *service) readMachine(ctx context.Context) error {
	return errorOf(s.client.VirtualMachine(ctx, s.machine.id))
}

func (s *service) readMachineByName(account, group string) func(context.Context) error {
	return func(ctx context.Context) error {
		return errorOf(s.client.VirtualMachineByName(ctx, account, group, s.machine.name))
	}
}

func (s *service) readDisc(ctx context.Context) error {
	return errorOf(s.client.Disc(ctx, s.machine.disc))
}

func (s *service) readAddress(ctx context.Context) error {
	return errorOf(s.client.IP(ctx, s.machine.address))
}
