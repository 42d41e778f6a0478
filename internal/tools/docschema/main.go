// SPDX-License-Identifier: MPL-2.0

// Command docschema prints the provider's schemas in the format of `terraform providers schema -json`, for
// tfplugindocs.
//
// A CLI prints only what it supports: identities since 1.12, list resources and actions since 1.14. The generated pages
// would depend on the CLI at hand. This command reads the schemas from the provider, in process.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/provider"
)

func main() {
	schema, err := export(context.Background(), providerserver.NewProtocol6(provider.New("docs")())())
	if err != nil {
		fmt.Fprintln(os.Stderr, "docschema:", err)
		os.Exit(1)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(schema); err != nil {
		fmt.Fprintln(os.Stderr, "docschema:", err)
		os.Exit(1)
	}
}

// export returns all schemas of the provider. It names the provider as tfplugindocs does.
func export(ctx context.Context, server tfprotov6.ProviderServer) (*tfjson.ProviderSchemas, error) {
	schemas, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, fmt.Errorf("reading schemas: %w", err)
	}
	identities, err := server.GetResourceIdentitySchemas(ctx, &tfprotov6.GetResourceIdentitySchemasRequest{})
	if err != nil {
		return nil, fmt.Errorf("reading identities: %w", err)
	}
	if err := problems(append(schemas.Diagnostics, identities.Diagnostics...)); err != nil {
		return nil, err
	}

	var c converter
	result := &tfjson.ProviderSchema{
		ConfigSchema:             c.schema(schemas.Provider),
		ResourceSchemas:          convertAll(schemas.ResourceSchemas, c.schema),
		DataSourceSchemas:        convertAll(schemas.DataSourceSchemas, c.schema),
		EphemeralResourceSchemas: convertAll(schemas.EphemeralResourceSchemas, c.schema),
		ListResourceSchemas:      convertAll(schemas.ListResourceSchemas, c.schema),
		ActionSchemas:            convertAll(schemas.ActionSchemas, c.action),
		Functions:                convertAll(schemas.Functions, c.function),
		ResourceIdentitySchemas:  convertAll(identities.IdentitySchemas, c.identity),
	}
	return &tfjson.ProviderSchemas{
		FormatVersion: "1.0",
		Schemas:       map[string]*tfjson.ProviderSchema{"registry.terraform.io/hashicorp/cloudserver": result},
	}, c.err
}

func problems(diagnostics []*tfprotov6.Diagnostic) error {
	var errs []error
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			errs = append(errs, fmt.Errorf("%s: %s", d.Summary, d.Detail))
		}
	}
	return errors.Join(errs...)
}
