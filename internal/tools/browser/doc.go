// Package browser tests the emulator's page in a real browser. It is a module of its own, so that the product does not
// depend on a library that drives browsers.
package browser
