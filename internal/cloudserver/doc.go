// Package cloudserver is the client of the service's HTTP API. It knows nothing about Terraform.
//
// Each kind of object has a file: its types, how they are decoded, and its calls. What all calls share is in the files
// below, one concern each. Package transport makes the attempts of a call, paces and repeats them, hides secrets, and
// writes the log:
//
//	client.go       the client
//	config.go       its configuration; config_file.go reads its files
//	call.go         one API call: path.go, its answer (answer.go), the renewal of
//	                the session, and whether the call may be repeated
//	session.go      the token, and when its file is read again; login.go exchanges
//	                credentials for one
//	errors.go       the typed errors; problems.go reads the bodies of refusals
//	decode.go       decodes JSON of any shape; listed_machine.go only what is wanted of
//	                a list
//	create.go       vm_create; lost_answer.go finds out what a lost answer leaves
//	                open
//	poll.go         waits for what the service does in the background
//
// A call is repeated, at most max_retries times:
//
//   - any call after 429, and after an error from before its request was written;
//   - a GET, PUT or DELETE also after a lost answer, a 500, 502, 503 or 504, but a PUT
//     or DELETE only once after a 500;
//   - a restore, a move and the delete of a machine not: the path may lead to another
//     object by now;
//   - two POSTs like a PUT: PowerDown and, without the code of a second factor, the
//     opening of a session;
//   - CreateVirtualMachine and CreateGroup after they have looked for the name.
//
// Answers are decoded liberally, because the contract leaves several shapes open: a value that is null, absent, unknown
// or of another shape never fails a call. Only an answer without the requested object is an error.
//
// THREATS.md lists what a hostile service, network or file could do, and how the client responds.
package cloudserver
