package adopt

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Environment returns the client's configuration and the names of the account and the group, from the CLOUDSERVER_*
// variables.
type Environment func() (config cloudserver.Config, account, group string, err error)

// accounts returns the sorted names of the selected accounts, and the provider's default account, or "".
func (c *Command) accounts(ctx context.Context, environment Environment) (selected []string, own string, err error) {
	config, own, _, err := environment()
	if err != nil {
		return nil, "", err
	}
	client, err := cloudserver.New(config)
	if err != nil {
		return nil, "", err
	}
	accounts, err := client.Accounts(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("cannot list the accounts: %w", err)
	}
	var all []string
	for _, account := range accounts {
		all = append(all, account.Name)
		if matches(c.account, account.Name) {
			selected = append(selected, account.Name)
		}
	}
	if len(selected) == 0 {
		return nil, "", fmt.Errorf("no account matches; these credentials see: %s", strings.Join(all, ", "))
	}
	slices.Sort(selected)
	return selected, own, nil
}
