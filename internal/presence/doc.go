// Package presence finds out what became of an object in the state: it exists, it is known to be gone, its account is not
// visible, it belongs to another service, or another resource of this run manages it. The rules and messages are the same
// for every kind of object and every path: refresh, plan, apply, destroy, import.
//
//	find.go       there, gone or out of sight
//	service.go    another service's
//	managed.go    another resource's
//	protection.go what deletion_protection refuses, for plans and actions
//
// Its functions take what they use of the provider: the service, with what it has answered to this process (a fleet),
// what the states say of its objects ([run.Memory]), or which resource of this run does what with an object
// ([run.Notes]).
package presence
