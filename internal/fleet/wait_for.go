package fleet

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

// WaitFor polls a machine by its ID, wherever it is by then, and calls look with each answer, until that is done. It is
// for what another answer than the machine's shows, such as the backups of its disc.
//
// Errors are outlasted as in [Fleet.Wait], those of look as well: a refusal ends the wait after two minutes. If look is
// done with an error, the wait ends with it at once. failed gets the error of each read, for what people are told.
func (f *Fleet) WaitFor(
	ctx context.Context, m Machine, look func(context.Context, *cloudserver.VirtualMachine) (done bool, err error), failed func(error),
) error {
	w := &watch{machine: m, began: time.Now()}
	var refused time.Time // since when look is refused; zero: it is not
	return cloudserver.Poll(ctx, func(ctx context.Context) (bool, error) {
		vm, err := f.Look(ctx, m)
		vm, gone, err := f.reconsider(ctx, w, vm, err)
		w.note(err)
		if err != nil {
			if ctx.Err() == nil {
				failed(err)
			}
			return false, f.isOver(w, gone, err)
		}
		done, err := look(ctx, vm)
		switch {
		case done:
			return true, err
		case !isRefusal(err):
			refused = time.Time{}
		case cloudserver.IsFinal(err):
			return false, err
		case refused.IsZero():
			refused = time.Now()
		case time.Since(refused) >= patience:
			return false, err
		}
		return false, nil
	})
}
