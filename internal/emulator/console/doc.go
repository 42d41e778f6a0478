// Package console is the server behind the -emulator flag: the emulator with a page to look at it and control paths for
// tests and scripts. The rules of the service are in package emulator; what plays, breaks and shows is here.
package console
