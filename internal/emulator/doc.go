// Package emulator is the service in memory, an http.Handler and an http.RoundTripper: every call of API.md with its
// refusals. Nothing runs in the background: each request first carries out what is due, so a fake clock works. It
// shares no type with the client, because a wrong JSON tag would then be on both sides. Where API.md assumes, it is strict.
package emulator
