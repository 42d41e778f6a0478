package tfkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// Identity is the attributes of a resource identity.
type Identity map[string]attr.Value

// Save writes the state and the identity of a resource. The framework requires
// both from every create, read and update, on a CLI without identities, too.
func Save(ctx context.Context, state *tfsdk.State, identity *tfsdk.ResourceIdentity, model any, values Identity, diags *diag.Diagnostics) {
	diags.Append(state.Set(ctx, model)...)
	values.Save(ctx, identity, diags)
}

// Save writes the identity alone: a read that ends early has to, as well.
func (i Identity) Save(ctx context.Context, identity *tfsdk.ResourceIdentity, diags *diag.Diagnostics) {
	if identity == nil {
		return
	}
	for name, value := range i {
		diags.Append(identity.SetAttribute(ctx, path.Root(name), value)...)
	}
}

// privateKey is the one key of a private state.
const privateKey = "kept"

// LoadPrivate returns what SavePrivate has put into a private state. Nothing, or
// what was written by hand, is the zero value.
func LoadPrivate[P any](ctx context.Context, from interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}, diags *diag.Diagnostics,
) (kept P) {
	value, d := from.GetKey(ctx, privateKey)
	diags.Append(d...)
	if len(value) == 0 || json.Unmarshal(value, &kept) != nil {
		return *new(P)
	}
	return kept
}

// SavePrivate puts what a state has no other place for into its private part.
func SavePrivate(ctx context.Context, to interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}, kept any, diags *diag.Diagnostics,
) {
	value, err := json.Marshal(kept)
	if err != nil {
		diags.AddError("Cannot write the private state", err.Error())
		return
	}
	diags.Append(to.SetKey(ctx, privateKey, value)...)
}

// hiddenAccount is the service's answer for an account that it does not show, so that
// nobody knows whether something in it is gone.
type hiddenAccount struct {
	error
	account string // "": any
}

func (e *hiddenAccount) Unwrap() error { return e.error }

// ProveVisible returns nil if the service shows the account, so that what is not
// found in it is gone. Without an account, that of the provider counts.
func (d *ProviderData) ProveVisible(ctx context.Context, account string) error {
	if account == "" {
		account = d.Account.ValueString()
	}
	err := d.Fleet.Directory.Visible(ctx, account)
	if cloudserver.IsNotFound(err) {
		return &hiddenAccount{err, account}
	}
	return err
}

// AddUnproved reports a failure that does not prove that an object is gone. What
// names the object in the sentence about it.
func AddUnproved(diags *diag.Diagnostics, summary, what string, err error, attribute AttributePath) {
	advice := "The state is unchanged."
	if hidden, ok := errors.AsType[*hiddenAccount](err); ok {
		account := "any account"
		if hidden.account != "" {
			account = fmt.Sprintf("the account %q", hidden.account)
		}
		advice = fmt.Sprintf("The service does not show %s to these credentials, so it is unknown whether %s still exists. The state is unchanged. Check endpoint and the credentials. "+
			"If the account was closed, remove its resources from the state with `terraform state rm`.", account, what)
	}
	AddError(diags, summary, err, attribute, advice)
}
