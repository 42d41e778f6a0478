package tfkit

import (
	"context"
	"time"

	"github.com/cloudserver/terraform-provider-cloudserver/internal/cloudserver"
)

const (
	// nameGrace is how long it may take until another resource of this run
	// begins to free a name: Terraform works on them concurrently.
	nameGrace = 3 * time.Second
	// nameWait is how long a name that this run frees is waited for: its holder may
	// have to be shut down first, which takes two minutes unless configured.
	nameWait  = 5 * time.Minute
	namePause = time.Second
)

// AwaitName makes a request that takes a name, and makes it again while the name
// is refused as taken and leaving reports that this run is about to free it. A
// name that nothing in this run frees is asked for once.
func AwaitName(ctx context.Context, leaving func() bool, taken func(error) bool, request func() error) error {
	for began := time.Now(); ; {
		err := request()
		if !taken(err) || time.Since(began) >= nameWait {
			return err
		}
		grace := time.Now()
		for !leaving() && time.Since(grace) < nameGrace {
			if cloudserver.Pause(ctx, namePause/10) != nil {
				return err
			}
		}
		if !leaving() || cloudserver.Pause(ctx, namePause) != nil {
			return err
		}
	}
}
