// SPDX-License-Identifier: MPL-2.0

package acctest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/acctest"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/emulator"
	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

const vmType = "cloudserver_vm"

// vmServer is a provider process against the emulator.
func vmServer(t *testing.T, e *acctest.Emulator) provider.Server {
	return acctest.NewServer(t, provider.New("test", provider.WithTransport(e.Transport()))())
}

// vmSchema is the type of a machine's state.
func vmSchema(ctx context.Context, server provider.Server) (tftypes.Type, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	return schemas.ResourceSchemas[vmType].ValueType(), nil
}

// witness is a test that notes its failures instead of failing.
type witness struct {
	testing.TB
	failures []string
}

func (w *witness) Errorf(format string, args ...any) {
	w.failures = append(w.failures, fmt.Sprintf(format, args...))
}

func (w *witness) Error(args ...any) { w.failures = append(w.failures, fmt.Sprint(args...)) }

// liar is a provider that plans another size of a disc, or says after an apply that the machine has another name.
type liar struct {
	provider.Server
	typ   tftypes.Type
	about string // plan or apply
}

func (l *liar) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	resp, err := l.Server.PlanResourceChange(ctx, req)
	if err == nil && l.about == "plan" {
		resp.PlannedState, err = l.change(resp.PlannedState, "disc.0.size", 1)
	}
	return resp, err
}

func (l *liar) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	resp, err := l.Server.ApplyResourceChange(ctx, req)
	if err == nil && l.about == "apply" {
		resp.NewState, err = l.change(resp.NewState, "name", "other")
	}
	return resp, err
}

func (l *liar) change(encoded *tfprotov6.DynamicValue, path string, to any) (*tfprotov6.DynamicValue, error) {
	value, err := encoded.Unmarshal(l.typ)
	if err != nil {
		return nil, err
	}
	value, err = tftypes.Transform(value, func(at *tftypes.AttributePath, old tftypes.Value) (tftypes.Value, error) {
		if acctest.Path(at) == path {
			return tftypes.NewValue(old.Type(), to), nil
		}
		return old, nil
	})
	if err != nil {
		return nil, err
	}
	changed, err := tfprotov6.NewDynamicValue(l.typ, value)
	return &changed, err
}

func TestDriverFailsTheTestWhenTheProviderBreaksCoresRules(t *testing.T) {
	t.Parallel()
	for about, want := range map[string]string{
		"plan":  "disc.0.size: 1 is planned, 25600 configured",
		"apply": "name: was planned as web1, now it is other",
	} {
		_, e := acctest.Drive(t, emulator.Options{}, nil)
		server := vmServer(t, e)
		typ, err := vmSchema(t.Context(), server)
		if err != nil {
			t.Fatal(err)
		}
		process := func(t testing.TB) *acctest.Driver {
			return acctest.NewDriver(t, &liar{Server: server, typ: typ, about: about}, e.ProviderConfig(nil))
		}
		seen := &witness{TB: t}
		config := map[string]any{"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
		plan := process(seen).Plan(t.Context(), vmType, nil, config)
		if about == "apply" {
			if _, diags := process(seen).Apply(t.Context(), vmType, plan); acctest.HasErrors(diags) {
				t.Error(acctest.DiagText(diags))
			}
		}
		if text := strings.Join(seen.failures, "\n"); !strings.Contains(text, want) {
			t.Errorf("want %q in %q", want, text)
		}
	}
}

func TestExpectCalls(t *testing.T) {
	t.Parallel()
	d, e := acctest.Drive(t, emulator.Options{}, nil)
	d.MustApply(t.Context(), "cloudserver_group", nil, map[string]any{"name": "web"})
	acctest.ExpectCalls(t, e, "POST /accounts/demo/groups")
	seen := &witness{TB: t}
	if acctest.ExpectCalls(seen, e); len(seen.failures) != 1 {
		t.Errorf("a call that is not expected: %q", seen.failures)
	}
}
