package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Call calls a function of the provider and returns its result as a Go value, like Object.Get. The error names the
// argument to blame.
func (d *Driver) Call(ctx context.Context, name string, arguments ...any) (any, *tfprotov6.FunctionError) {
	d.t.Helper()
	signature := d.functions[name]
	if signature == nil {
		d.t.Fatalf("the provider has no function %s", name)
	}
	if wanted := len(signature.Parameters); len(arguments) != wanted {
		d.t.Fatalf("the test passes %[2]d arguments to %[1]s, not %[3]d", name, len(arguments), wanted)
	}
	req := &tfprotov6.CallFunctionRequest{Name: name}
	for i, argument := range arguments {
		value, err := buildValue(signature.Parameters[i].Type, argument, signature.Parameters[i].Name)
		if err != nil {
			d.t.Fatalf("the test's argument: %v", err)
		}
		req.Arguments = append(req.Arguments, d.encode(value))
	}
	resp, err := d.server.CallFunction(ctx, req)
	if err != nil {
		return nil, &tfprotov6.FunctionError{Text: err.Error()}
	}
	if resp.Error != nil {
		return nil, resp.Error
	}
	result := d.decode(resp.Result, signature.Return.Type)
	d.broken("its result, unknown", name, unknownPaths(result, ""))
	return goValue(result), nil
}
