package cloudserver

import "net/http"

// NotListed returns the error of a look-up by name or id in a list that lacks it.
// It is a not-found error, like the service's own answer to a path, but does not
// pretend to be one: the list was answered with 200.
func NotListed(path, message string) error {
	return &Error{Method: http.MethodGet, Path: path, StatusCode: http.StatusNotFound, Message: message, notListed: true}
}
