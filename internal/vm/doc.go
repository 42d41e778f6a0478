// SPDX-License-Identifier: MPL-2.0

// Package vm contains what Terraform knows about virtual machines (API.md §3, §4, §7, §8): the resource cloudserver_vm,
// its data sources and its list resource. What is done to a machine is in internal/machine, and the actions are in
// internal/vmaction.
//
// A plan proposes, finds facts, decides and asks: plan.go, facts.go, decide.go. change.go computes what an update has to
// do from state, plan and private state, in the same way at plan and at apply. create.go, read.go, update.go and
// delete.go carry it out. Each other file has one subject, from its schema to its messages.
package vm
