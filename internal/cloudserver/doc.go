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
//	door.go         the only way to a request that changes or destroys an existing
//	                object: a look before each attempt, and its repetitions
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
//   - a GET also after a lost answer, a 500, 502, 503 or 504;
//   - a change of an existing object in the same way, but only once after a 500, and a
//     request that destroys also after any other answer that leaves it open what was
//     done: Client.Change repeats them, with a look before each attempt;
//   - a restore, a move, a reimage, a signal and an addition only if they were certainly
//     not carried out;
//   - the opening of a session, without the code of a second factor;
//   - CreateVirtualMachine and CreateGroup after they have looked for the name.
//
// Answers are decoded liberally, because the contract leaves several shapes open: a value that is null, absent, unknown
// or of another shape never fails a call. Only an answer without the requested object is an error.
//
// THREATS.md lists what a hostile service, network or file could do, and how the client responds.
package cloudserver
