// Package emulator is the service in memory, an http.Handler and an http.RoundTripper: every call of API.md, and its refusals.
// Nothing runs in the background: each request first carries out what is due by then, so a fake clock and synctest work.
// It shares no type with the client, because a wrong JSON tag would then be on both sides. Where API.md assumes, it is strict.
package emulator
