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

// hostname is the parts of name.group.account.cluster-domain (API.md §8).
type hostname struct {
	Name          string `tfsdk:"name"`
	Group         string `tfsdk:"group"`
	Account       string `tfsdk:"account"`
	ClusterDomain string `tfsdk:"cluster_domain"`
}

type parseHostname struct{}

// NewParseHostname returns the function parse_hostname.
func NewParseHostname() function.Function { return parseHostname{} }

func (parseHostname) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "parse_hostname"
}

func (parseHostname) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Splits a hostname into its parts",
		MarkdownDescription: "Splits the hostname of a virtual machine, `<name>.<group>.<account>.<cluster-domain>`, into its parts. " +
			"Names may have dots themselves, and a hostname does not say where each of them ends. Where more than one split is possible, the function fails instead of guessing: " +
			"pass the cluster domain as the second argument unless it has no dot. Where a name of the machine, the group or the account has a dot, " +
			"the parts cannot be derived from the hostname: use the attributes `name`, `group` and `account` of the resource or of the data source `cloudserver_vm`.",
		Parameters: []function.Parameter{
			function.StringParameter{Name: "hostname", MarkdownDescription: "Full hostname, such as the `hostname` of a `cloudserver_vm`. A trailing dot is allowed."},
		},
		VariadicParameter: function.StringParameter{
			Name: "cluster_domain", MarkdownDescription: "Optional: the domain of the cluster, such as `cluster.example`, at most one.",
		},
		Return: function.ObjectReturn{AttributeTypes: map[string]attr.Type{
			"name": types.StringType, "group": types.StringType, "account": types.StringType, "cluster_domain": types.StringType,
		}},
	}
}

func (parseHostname) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	var domains []string
	if resp.Error = req.Arguments.Get(ctx, &text, &domains); resp.Error != nil {
		return
	}
	domain := ""
	switch {
	case len(domains) > 1:
		resp.Error = function.NewArgumentFuncError(2, "only one cluster domain can be passed")
		return
	case len(domains) == 1 && strings.Trim(domains[0], ".") == "":
		resp.Error = function.NewArgumentFuncError(1, "the cluster domain is empty; pass a domain such as cluster.example, or only the hostname")
		return
	case len(domains) == 1:
		domain = strings.Trim(domains[0], ".")
	}
	parts, err := splitHostname(text, domain)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(0, err.Error())
		return
	}
	resp.Error = resp.Result.Set(ctx, parts)
}

// splitHostname fails where more than one split is possible. The domain may be "".
func splitHostname(text, domain string) (hostname, error) {
	whole := strings.TrimSuffix(text, ".")
	names := whole
	switch {
	case strings.ContainsAny(text, " \t\r\n/:@"):
		return hostname{}, fmt.Errorf("%q is not a hostname: it contains whitespace, a slash, a colon or an @; pass only the hostname", text)
	case slices.Contains(strings.Split(whole, "."), ""):
		return hostname{}, fmt.Errorf("%q is not a hostname: it has an empty part before, after or between dots", text)
	case domain != "":
		start := len(whole) - len(domain)
		if start < 1 || whole[start-1] != '.' || !strings.EqualFold(whole[start:], domain) {
			return hostname{}, fmt.Errorf("%q is not a hostname in the cluster domain %q", text, domain)
		}
		names, domain = whole[:start-1], whole[start:]
	default: // the domain has at least one label; with just one, the rest is the names
		if last := strings.LastIndex(whole, "."); last >= 0 && strings.Count(whole, ".") <= 3 {
			names, domain = whole[:last], whole[last+1:]
		}
	}
	parts := strings.Split(names, ".")
	switch {
	case len(parts) < 3:
		return hostname{}, fmt.Errorf("%q is not a full hostname: expected <name>.<group>.<account>.<cluster-domain>, such as web1.default.demo.cluster.example", text)
	case domain == "":
		return hostname{}, fmt.Errorf("%q can be split in several ways, because it does not say where the cluster domain begins; pass the cluster domain as the second argument", text)
	case len(parts) > 3:
		return hostname{}, fmt.Errorf("%q can be split in several ways, because a name in %q has a dot and it is unknown which; use the attributes name, group and account of the virtual machine instead", text, names)
	}
	return hostname{Name: parts[0], Group: parts[1], Account: parts[2], ClusterDomain: domain}, nil
}
