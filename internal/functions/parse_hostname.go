package functions

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// hostname is the parts of name.group.account.cluster-domain (API.md §8.1).
type hostname struct {
	Name          string `tfsdk:"name"`
	Group         string `tfsdk:"group"`
	Account       string `tfsdk:"account"`
	ClusterDomain string `tfsdk:"cluster_domain"`
}

type parseHostname struct{}

// NewParseHostname gives the function parse_hostname.
func NewParseHostname() function.Function { return parseHostname{} }

func (parseHostname) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_hostname"
}

func (parseHostname) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Parts of a host name",
		MarkdownDescription: "Takes a machine's host name apart: `<name>.<group>.<account>.<cluster-domain>`. " +
			"The first three labels are the names of the machine, its group and its account; what follows is the cluster's domain.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "hostname", MarkdownDescription: "Full host name, such as the `hostname` of a `cloudserver_vm`. A dot at the end is allowed."},
		},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"name": types.StringType, "group": types.StringType, "account": types.StringType, "cluster_domain": types.StringType,
		}},
	}
}

func (parseHostname) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	if resp.Error = req.Arguments.Get(ctx, &text); resp.Error != nil {
		return
	}
	parts, err := splitHostname(text)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, parts)
}

func splitHostname(text string) (hostname, error) {
	labels := strings.Split(strings.TrimSuffix(text, "."), ".")
	switch {
	case len(labels) < 4:
		return hostname{}, fmt.Errorf("%q is not a full host name: expected <name>.<group>.<account>.<cluster-domain>, such as web1.default.demo.cluster.example", text)
	case slices.Contains(labels, ""):
		return hostname{}, fmt.Errorf("%q is not a host name: there is nothing between two of its dots, or before the first", text)
	case strings.ContainsAny(text, " \t\r\n/:@"):
		return hostname{}, fmt.Errorf("%q is not a host name: it has blanks, slashes, colons or an @; give the host name alone", text)
	}
	return hostname{Name: labels[0], Group: labels[1], Account: labels[2], ClusterDomain: strings.Join(labels[3:], ".")}, nil
}
