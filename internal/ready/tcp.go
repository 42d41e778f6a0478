package ready

import (
	"context"
	"time"
)

// TCP makes a connection.
type TCP struct {
	Dial    Dial
	Address string // with the port
}

func (p TCP) String() string { return "a TCP connection to " + p.Address }

// Try connects and sends nothing.
func (p TCP) Try(ctx context.Context) (time.Duration, error) {
	connection, err := connect(ctx, p.Dial, p.Address, 1)
	if err != nil {
		return often, seen(ctx, err)
	}
	_ = connection.Close() // it was accepted
	return 0, nil
}
