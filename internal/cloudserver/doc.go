// Package cloudserver is the client of the service's HTTP API. It knows nothing of
// Terraform, except that it writes its log with the plugin's logger.
//
// One file contains one noun: its types, how they are decoded, and its calls. What
// all calls share is below, one concern a file:
//
//	config.go       what a client is configured with; endpoint.go,
//	                certificates.go and file.go check parts of it
//	call.go         one API call: path.go, its answer (answer.go), the renewal of
//	                the session
//	retry.go        what is repeated, and when; pacer.go limits the rate
//	poll.go         waits: the one pace at which something is looked at again
//	exchange.go     one attempt: deadline, "was it sent?"; read.go reads its answer
//	                within bounds, document.go bounds what it costs to decode
//	session.go      the token; session_calls.go exchanges credentials for one
//	errors.go       the typed errors; errors_transport.go for calls without answer,
//	                problems.go reads the bodies of refusals
//	secrets.go      hides secrets in errors and logs; text.go makes foreign texts
//	                printable; log.go writes logs
//	loose.go        JSON values of any shape
//	create.go       vm_create; lost_answer.go finds out what a lost answer leaves
//	                open, and fulfilled.go recognises the machine
//
// Answers are decoded liberally: a value that is null, absent, unknown or of
// another shape never fails a call, because the contract leaves several shapes
// open. Only an answer without the object that was asked for is an error.
//
// THREATS.md lists what a hostile service, network or file could do, and the
// answers to it.
package cloudserver
