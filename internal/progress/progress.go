// Package progress tells people what an operation does and what it waits for: in the log, and, for an action, where Terraform
// shows it. The words of a wait are here, once: those that it says meanwhile, and those of the error that it ends with.
package progress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// object is what an operation works on, and who wants to know about it.
type object struct {
	title string
	tell  func(string)
}

type key struct{}

// Of returns a context whose operations tell of the object with this title: at INFO, and to tell if it is not nil. A wait calls
// tell from a goroutine of its own.
func Of(ctx context.Context, title string, tell func(string)) context.Context {
	return context.WithValue(ctx, key{}, object{title, tell})
}

// Tell tells what is done now.
func Tell(ctx context.Context, text string) {
	of, _ := ctx.Value(key{}).(object)
	if of.tell != nil {
		of.tell(text)
	}
	if of.title != "" {
		text = of.title + ": " + text
	}
	tflog.Info(ctx, text)
}
