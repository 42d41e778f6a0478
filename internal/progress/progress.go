// Package progress reports what an operation does and what it waits for: in the log, and for an action also where
// Terraform shows it to the user. A wait is described in one place, for the reports while it lasts and for the error
// that it may end with.
package progress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// object is what an operation works on, and who is notified of its progress.
type object struct {
	title  string
	notify func(string)
}

type key struct{}

// NewContext returns a context whose operations report progress on the object with this title: at INFO, and to notify
// if it is not nil. A wait calls notify from a goroutine of its own.
func NewContext(ctx context.Context, title string, notify func(string)) context.Context {
	return context.WithValue(ctx, key{}, object{title, notify})
}

// Naming returns a context for one of several objects that an operation works on. Its reports have the title of that
// object, also those to notify.
func Naming(ctx context.Context, title string) context.Context {
	o, _ := ctx.Value(key{}).(object)
	notify := o.notify
	if notify == nil {
		return NewContext(ctx, title, nil)
	}
	return NewContext(ctx, title, func(text string) { notify(title + ": " + text) })
}

// Report reports what is done now.
func Report(ctx context.Context, text string) {
	o, _ := ctx.Value(key{}).(object)
	if o.notify != nil {
		o.notify(text)
	}
	if o.title != "" {
		text = o.title + ": " + text
	}
	tflog.Info(ctx, text)
}
