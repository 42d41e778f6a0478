// Package presence decides what became of an object that a state has: it is there, it is
// gone, which is proved, it is out of sight, it is another service's, or another resource
// of this run manages it. The rules and their messages are the same for every noun, on
// every path: refresh, plan, apply, destroy, import.
//
//	find.go       there, gone or out of sight
//	service.go    another service's
//	managed.go    another resource's
//	destroy.go    the look before every request that destroys
//	protection.go what deletion_protection refuses, for plans and actions
package presence
