package ready

import "context"

// TCP makes a connection.
type TCP struct {
	Dial    Dial
	Address string // with the port
}

func (p TCP) String() string { return "a TCP connection to " + p.Address }

// Try connects and sends nothing.
func (p TCP) Try(ctx context.Context) error {
	connection, err := p.Dial(ctx, "tcp", p.Address)
	if err != nil {
		return cause(ctx, err)
	}
	_ = connection.Close() // it was accepted
	return nil
}
