package acctest

import (
	"context"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Call calls a function of the provider and answers its plain Go value, as
// Object.Get does. The error says which argument is to blame.
func (d *Driver) Call(ctx context.Context, name string, arguments ...any) (any, *tfprotov6.FunctionError) {
	d.t.Helper()
	signature := d.functions[name]
	if signature == nil {
		d.t.Fatalf("the provider has no function %s", name)
	}
	if wanted := len(signature.Parameters); len(arguments) < wanted || len(arguments) > wanted && signature.VariadicParameter == nil {
		d.t.Fatalf("the test passes %[2]d arguments to %[1]s, not %[3]d", name, len(arguments), wanted)
	}
	req := &tfprotov6.CallFunctionRequest{Name: name}
	for i, argument := range arguments {
		parameter := signature.VariadicParameter
		if i < len(signature.Parameters) {
			parameter = signature.Parameters[i]
		}
		req.Arguments = append(req.Arguments, d.argument(parameter, argument))
	}
	resp, err := d.server.CallFunction(ctx, req)
	if err != nil {
		return nil, &tfprotov6.FunctionError{Text: err.Error()}
	}
	if resp.Error != nil {
		return nil, resp.Error
	}
	result := d.decode(resp.Result, signature.Return.Type)
	for _, at := range unknownPaths(result, "") {
		d.broken("its result", name, []string{at + ": unknown"})
	}
	return goValue(result), nil
}

func (d *Driver) argument(parameter *tfprotov6.FunctionParameter, argument any) *tfprotov6.DynamicValue {
	d.t.Helper()
	value, err := buildValue(parameter.Type, argument, parameter.Name)
	if err != nil {
		d.t.Fatalf("the test's argument: %v", err)
	}
	return d.encode(value)
}
