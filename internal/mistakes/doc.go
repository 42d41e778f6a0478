// Package mistakes holds the catalogue of what the provider says about typical
// mistakes: mistakes.md has each mistake with its whole message, and the tests
// make every one of them. To write the file again after a change of a message,
// run the tests with -update, and read the difference.
package mistakes
