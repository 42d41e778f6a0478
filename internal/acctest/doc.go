// Package acctest is what the tests of all packages share. It is imported by
// tests only.
//
//   - Main, UnitTest: tests through the real CLI, which never see a developer's
//     own configuration and never download.
//   - StartEmulator: the service, in this process, with its journal turned
//     into checks: Calls, ExpectCalls.
//   - Driver: a provider in this process, driven over its protocol as
//     Terraform drives it, in about a millisecond an operation. What core
//     would call a bug of the provider fails the test. Drive returns one with an
//     emulator in memory: no sockets, so that it runs in a synctest bubble,
//     where waiting for a machine costs nothing.
//
// A life by the driver:
//
//	d, e := acctest.Drive(t, emulator.Options{BootTime: time.Minute}, nil)
//	config := map[string]any{"name": "web1", "disc": []map[string]any{{"label": "vda", "size": 25600}}}
//	o := d.MustApply(ctx, "cloudserver_vm", nil, config)         // create
//	d.ExpectPlan(ctx, o, config, acctest.ActionNoOp)             // refresh, plan
//	config["name"] = "web2"
//	plan := d.Plan(ctx, "cloudserver_vm", o, config)             // plan.Action, Changes, Warnings
//	o, diags := d.Apply(ctx, "cloudserver_vm", plan)             // o.Get("disc.0.id")
//	d.MustApply(ctx, "cloudserver_vm", o, nil)                   // destroy
//
// The driver by file: schema, config and values turn Go maps into typed
// values; propose, plan_valid and compatible are core's three rules about
// them; driver, plan, apply, read, import, data_source, ephemeral and function
// are the operations; object and diagnostics are what tests assert on. That the
// driver agrees with core is proved by a test that takes both through the same
// steps and compares what they ask the provider.
package acctest
