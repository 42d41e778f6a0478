package invoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/command"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/run"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/tfkit"
)

// machineType is the resource that has deletion_protection.
const machineType = "cloudserver_vm"

// guard has the provider ask before data is lost, and tells it which machines the state protects.
func (i *invocation) guard(data *tfkit.ProviderData) error {
	var inState map[int64]bool
	if i.options.state != "" {
		if i.options.unprotected {
			return command.Misused("--state and --unprotected contradict each other: a state may protect the machine, or none does.")
		}
		var err error
		if inState, err = readProtection(i.options.state); err != nil {
			return err
		}
		for id, protected := range inState {
			data.Memory.Note(run.ObjectWithID(run.VirtualMachine, id), func(k *run.Known) { k.Protection.State = protected })
		}
	}
	data.Confirm = func(ctx context.Context, loss tfkit.Loss) error { return i.confirm(ctx, loss, inState) }
	return nil
}

// confirm shows what is about to be lost. It returns an error unless a person or the flags permit it.
func (i *invocation) confirm(ctx context.Context, loss tfkit.Loss, inState map[int64]bool) error {
	i.print("\n  account          %s\n  group            %s\n  virtual machine  %s (ID %d)\n",
		cloudserver.Shown(loss.Account), cloudserver.Shown(loss.Group), cloudserver.Shown(loss.Machine), loss.ID)
	for _, disc := range loss.Discs {
		i.print("  disc             %s\n", cloudserver.Shown(disc))
	}
	if loss.To != "" {
		i.print("  moves to         %s\n", cloudserver.Shown(loss.To))
	}
	i.print("  what happens     %s.\n\n", cloudserver.Shown(loss.Lost))
	_, isInState := inState[loss.ID]
	if i.options.state != "" && loss.Protectable && !isInState {
		return fmt.Errorf("nothing was done, because the state in %s has no virtual machine %d. "+
			"Give --state the output of terraform show -json of the state that has it, or --unprotected if none has", i.options.state, loss.ID)
	}
	if i.options.yes {
		if loss.Protectable && i.options.state == "" && !i.options.unprotected {
			return errors.New("nothing was done, because a state may protect the machine. " +
				"Add --state with the output of terraform show -json, whose deletion_protection is obeyed, " +
				"or --unprotected if no state protects the machine")
		}
		return nil
	}
	if i.streams.Ask == nil {
		return fmt.Errorf("nothing was done, because nobody can be asked: the standard input is not a terminal. If it is what you want, add --yes%s",
			map[bool]string{true: ", and --state or --unprotected"}[loss.Protectable])
	}
	answer, err := i.streams.Ask(ctx, "Only yes is accepted to confirm: ")
	if err != nil {
		return fmt.Errorf("nothing was done: %w", err)
	}
	if answer != "yes" {
		return errors.New("nothing was done, because it was not confirmed")
	}
	i.print("\n")
	return nil
}

// readProtection returns the machines of a state, and whether the state protects each.
func readProtection(name string) (map[int64]bool, error) {
	content, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("--state: %w", err)
	}
	state := &tfjson.State{}
	if err := json.Unmarshal(content, state); err != nil || state.Values == nil || state.Values.RootModule == nil {
		return nil, fmt.Errorf("--state: %s is not the output of terraform show -json of a state with resources", name)
	}
	machines := map[int64]bool{}
	for modules := []*tfjson.StateModule{state.Values.RootModule}; len(modules) > 0; modules = modules[1:] {
		modules = append(modules, modules[0].ChildModules...)
		for _, r := range modules[0].Resources {
			text, _ := r.AttributeValues["id"].(string)
			id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
			if r.Type != machineType || r.Mode != tfjson.ManagedResourceMode || err != nil {
				continue
			}
			protected, _ := r.AttributeValues["deletion_protection"].(bool)
			machines[id] = machines[id] || protected
		}
	}
	return machines, nil
}
