// SPDX-License-Identifier: MPL-2.0

package invoke

import (
	"context"
	"os"
	"slices"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cmd"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/vmaction"
)

// Secret arguments come from the environment, because other users of the computer see the arguments of a program.
const (
	rootPassword    = "root_password"
	firstbootScript = "firstboot_script"
)

// TakesSecrets reports whether the action has secret arguments.
func (a *Action) TakesSecrets() bool { return a.Name == "vm_reimage" }

func (a *Action) isSecret(argument string) bool {
	return a.TakesSecrets() && slices.Contains([]string{rootPassword, firstbootScript}, argument)
}

// withSecrets returns a context with the secrets that variables of the environment have. variables are by argument.
func (a *Action) withSecrets(ctx context.Context, variables map[string]string) (context.Context, error) {
	secret := map[string]string{}
	for argument, variable := range variables {
		if !a.isSecret(argument) {
			return nil, cmd.Misused("--env takes %s=NAME and %s=NAME, not %q", rootPassword, firstbootScript, argument)
		}
		secret[argument] = os.Getenv(variable)
		if secret[argument] == "" {
			return nil, cmd.Misused("--env %s: the environment has no variable of that name, or it is empty. "+
				"Name a variable, not its value", argument)
		}
	}
	if strings.ContainsAny(secret[rootPassword], "\r\n") {
		return nil, cmd.Misused("%s in the environment must be one line", rootPassword)
	}
	return vmaction.WithImageSecrets(ctx, secret[rootPassword], secret[firstbootScript]), nil
}
