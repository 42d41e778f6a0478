// Package console is the server behind the -emulator flag: the emulator with a page to look at it and control paths for
// tests and scripts.
//
//	flags.go usage.go        the flags, grouped
//	run.go serve.go          from the flags to a server, and its end
//	banner.go                what is printed when it listens
//	world.go world.json      the world that it starts with
//	state.go lock_unix.go lock_windows.go
//	                         seeds and the saved state
//	guard.go                 who may ask what
//	control.go control_world.go control_machine.go staff.go journal.go
//	                         the paths below /_emulator
//	fault_parse.go fault_route.go
//	                         faults as text and JSON, which some call of the service can meet
//	page.go page.html page.css page.js
//	                         the page
package console
