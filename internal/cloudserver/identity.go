package cloudserver

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver/transport"
)

// answeredForAnother returns the error for an answer that describes another
// object than the one that was asked for.
func (a *answer) answeredForAnother(kind string, got, wanted any) error {
	return a.misunderstood(fmt.Errorf("it is an answer for another %s: %v instead of %v", kind, got, wanted))
}

// checkID returns an error unless the answer is about the object with the
// wanted id. An id of 0 is one that the answer does not contain.
func (a *answer) checkID(kind string, got, wanted int64) error {
	if got == 0 || got == wanted {
		return nil
	}
	return a.answeredForAnother(kind, got, wanted)
}

// checkNameOrID returns an error unless the answer is about the object that was
// asked for by name or by id. Names are compared without case, because a
// service may normalise them.
func (a *answer) checkNameOrID(kind string, id int64, name, wanted string) error {
	if name == "" || strings.EqualFold(name, wanted) || IDText(id) == wanted {
		return nil
	}
	return a.answeredForAnother(kind, fmt.Sprintf("%q (id %d)", transport.Shorten(transport.OneLine(name), transport.LongestName), id), strconv.Quote(wanted))
}
