// Package cloudserver is the client of the service's HTTP API. It knows
// nothing of Terraform beyond writing its log through the plugin's logger.
//
// One file holds one noun: its types, how they are decoded, and its calls.
// What all calls share lies underneath, one concern a file:
//
//	config.go       what a client is configured with, and its checks
//	call.go         one API call: path, body, answer, the session's renewal
//	retry.go        what is repeated, and when
//	exchange.go     one attempt: deadline, bounded body, "was it sent?"
//	session.go      credentials, and their exchange for a session
//	errors.go       the typed errors; problems.go and text.go read their bodies
//	redact.go       keeps secrets out of logs and errors; log.go writes logs
//	loose.go        JSON values of any shape; ordered.go keeps an object's order
//	create.go       vm_create; ambiguous.go resolves what a lost answer leaves
//	                open, and fulfilled.go tells ours from another's machine
//
// Answers are decoded liberally: what is null, absent, unknown or oddly
// shaped never fails a call, because the service's document leaves several
// shapes open. Only an answer without the thing asked for is an error.
package cloudserver
