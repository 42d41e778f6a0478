package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// server is the resource peer_server.
type server struct{ client *client }

// Metadata implements resource.Resource.
func (s *server) Metadata(_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = "peer_server"
}

// Configure implements resource.ResourceWithConfigure.
func (s *server) Configure(_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse) {
	if c, ok := req.ProviderData.(*client); ok {
		s.client = c
	}
}

// Create sends 4 requests in turn: the creation, two polls of its action, and a read.
func (s *server) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	var m model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	var created action
	s.do(
		ctx, &resp.Diagnostics, http.MethodPost, "/servers",
		map[string]string{"name": m.Name.ValueString(), "plan": m.Plan.ValueString()}, &created,
	)
	poll := fmt.Sprintf("/actions/%d", created.ID)
	s.do(ctx, &resp.Diagnostics, http.MethodGet, poll, nil, &action{})
	s.do(ctx, &resp.Diagnostics, http.MethodGet, poll, nil, &action{})
	m.ID = types.StringValue(strconv.FormatInt(created.ID, 10))
	s.read(ctx, &resp.Diagnostics, &m)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// Read sends 1 request.
func (s *server) Read(ctx context.Context, req resource.ReadRequest, resp *resource.ReadResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	s.read(ctx, &resp.Diagnostics, &m)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// Update does what a change of cores takes: it stops the server, changes it and starts it, each with one poll of the
// action, and reads the server. It sends 7 requests in turn.
func (s *server) Update(ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	var m model
	resp.Diagnostics.Append(req.Plan.Get(ctx, &m)...)
	for _, name := range []string{"poweroff", "change_plan", "poweron"} {
		var started action
		s.do(ctx, &resp.Diagnostics, http.MethodPost, "/servers/"+m.ID.ValueString()+"/actions/"+name, map[string]string{"plan": m.Plan.ValueString()}, &started)
		s.do(ctx, &resp.Diagnostics, http.MethodGet, fmt.Sprintf("/actions/%d", started.ID), nil, &action{})
	}
	s.read(ctx, &resp.Diagnostics, &m)
	if !resp.Diagnostics.HasError() {
		resp.Diagnostics.Append(resp.State.Set(ctx, &m)...)
	}
}

// Delete sends 2 requests in turn.
func (s *server) Delete(ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse) {
	var m model
	resp.Diagnostics.Append(req.State.Get(ctx, &m)...)
	s.do(ctx, &resp.Diagnostics, http.MethodDelete, "/servers/"+m.ID.ValueString(), nil, &action{})
	s.do(ctx, &resp.Diagnostics, http.MethodGet, "/actions/"+m.ID.ValueString(), nil, &action{})
}

// read asks for the server and fills the model.
func (s *server) read(ctx context.Context, diags *diag.Diagnostics, m *model) {
	var r remote
	s.do(ctx, diags, http.MethodGet, "/servers/"+m.ID.ValueString(), nil, &r)
	m.fill(&r)
}

// do sends one request, unless an earlier one has failed.
func (s *server) do(ctx context.Context, diags *diag.Diagnostics, method, path string, body, answer any) {
	if diags.HasError() {
		return
	}
	if err := s.client.call(ctx, method, path, body, answer); err != nil {
		diags.AddError("Request failed", err.Error())
	}
}
