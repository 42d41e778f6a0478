// SPDX-License-Identifier: MPL-2.0

package inventory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Group is a group in its account.
type Group struct {
	Account string // name
	cloudserver.Group
}

// Accounts returns the accounts that the credentials can see.
func (v *Inventory) Accounts(ctx context.Context) ([]cloudserver.Account, error) {
	return get(ctx, v, v.accounts, "", time.Time{}, v.api.Accounts)
}

// Overview returns an account with its groups and their machines, for the lists of one query. The result must not be
// changed.
func (v *Inventory) Overview(ctx context.Context, account string) (*cloudserver.Account, error) {
	return get(ctx, v, v.overviews, account, time.Time{}, func(ctx context.Context) (*cloudserver.Account, error) {
		return v.api.Overview(ctx, account)
	})
}

// Groups returns the groups of an account. The result must not be changed.
func (v *Inventory) Groups(ctx context.Context, account string) ([]cloudserver.Group, error) {
	return v.groupsSince(ctx, account, time.Time{})
}

func (v *Inventory) groupsSince(ctx context.Context, account string, after time.Time) ([]cloudserver.Group, error) {
	return get(ctx, v, v.groups, account, after, func(ctx context.Context) ([]cloudserver.Group, error) {
		return v.api.Groups(ctx, account)
	})
}

// GroupsChanged notes that this process has created, renamed or deleted a group, or tried to.
func (v *Inventory) GroupsChanged() {
	v.mu.Lock()
	defer v.mu.Unlock()
	clear(v.groups)
	clear(v.overviews)
}

// currentTime is now for a caller that does not hold the lock.
func (v *Inventory) currentTime() time.Time {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.now()
}

// GroupNamed finds the group of an account that has the name in the list of its groups: a path would take a name of
// digits for an ID. The error is a not-found error if there is none, also for another process that may have created it.
func (v *Inventory) GroupNamed(ctx context.Context, account, name string) (*Group, error) {
	for _, after := range []time.Time{{}, v.currentTime()} {
		groups, err := v.groupsSince(ctx, account, after)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.Name == name })
		if i >= 0 {
			return &Group{account, groups[i]}, nil
		}
	}
	return nil, cloudserver.NotListed("/accounts/"+account+"/groups", fmt.Sprintf("no group has the name %q", name))
}

// recently is how long a list is believed that lacks a group. Another provider block of the same run may have created it
// since, and many machines may be in a group that no list has.
const recently = 5 * time.Second

// GroupByID finds a group in the lists of groups, those of the likely accounts first. It returns nil if no visible
// account has the group.
func (v *Inventory) GroupByID(ctx context.Context, id int64, likely ...string) (*Group, error) {
	for _, after := range []time.Time{{}, v.currentTime().Add(-recently)} {
		found, err := v.groupByIDSince(ctx, id, after, likely)
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// groupByIDSince finds a group in lists that were read after a time.
func (v *Inventory) groupByIDSince(ctx context.Context, id int64, after time.Time, likely []string) (*Group, error) {
	found, err := v.groupIn(ctx, id, after, likely)
	if found != nil || err != nil {
		return found, err
	}
	accounts, err := v.Accounts(ctx)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, account := range accounts {
		if !slices.Contains(likely, account.Name) {
			others = append(others, account.Name)
		}
	}
	return v.groupIn(ctx, id, after, others)
}

// groupIn finds a group in the lists of these accounts. Accounts that are not visible are left out.
func (v *Inventory) groupIn(ctx context.Context, id int64, after time.Time, accounts []string) (*Group, error) {
	for _, account := range accounts {
		if account == "" {
			continue
		}
		groups, err := v.groupsSince(ctx, account, after)
		if err != nil && !cloudserver.IsNotFound(err) && !cloudserver.IsForbidden(err) {
			return nil, err
		}
		i := slices.IndexFunc(groups, func(g cloudserver.Group) bool { return g.ID == id })
		if i >= 0 {
			return &Group{account, groups[i]}, nil
		}
	}
	return nil, nil
}
