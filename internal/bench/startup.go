package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// startup is how long one provider takes from the start of its process to its schema, and how big it is.
type startup struct {
	name   string
	took   []timing
	schema int   // bytes
	binary int64 // bytes
}

// startTimes is how often each provider is started: a start takes a few milliseconds, and some take twice as long.
const startTimes = 101

// startups measures all subjects, in turns.
func (b *bench) startups(ctx context.Context) ([]startup, error) {
	results := make([]startup, len(subjects))
	for range startTimes {
		for i, who := range subjects {
			began := time.Now()
			schema, err := readSchema(ctx, b.providers[who.provider])
			if err != nil {
				return nil, fmt.Errorf("starting %s: %w", who.title, err)
			}
			results[i].took = append(results[i].took, timing{wall: time.Since(began)})
			results[i].name, results[i].schema = who.title, schema
		}
	}
	for i, who := range subjects {
		file, err := os.Stat(b.providers[who.provider])
		if err != nil {
			return nil, err
		}
		results[i].binary = file.Size()
	}
	return results, nil
}

// readSchema starts a provider as Terraform does, fetches its schema, and returns the schema's size.
func readSchema(ctx context.Context, provider string) (int, error) {
	command := exec.CommandContext(ctx, provider)
	// What tells a provider that Terraform has started it.
	command.Env = append(os.Environ(), "PLUGIN_PROTOCOL_VERSIONS=6",
		"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2")
	stdout, err := command.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := command.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = command.Process.Kill() // it may have ended by itself
		_ = command.Wait()         // it was killed, and says so
	}()
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return 0, err
	}
	address, err := socket(line)
	if err != nil {
		return 0, err
	}
	return askSchema(ctx, address)
}

// socket returns the address in a plugin's first line: core protocol, plugin protocol, network, address, kind.
func socket(line string) (string, error) {
	parts := strings.Split(strings.TrimSpace(line), "|")
	if len(parts) < 5 || parts[4] != "grpc" {
		return "", fmt.Errorf("%q is not a handshake", line)
	}
	if parts[2] == "unix" {
		return "unix:" + parts[3], nil
	}
	return "passthrough:///" + parts[3], nil
}

// askSchema makes the call. A message without fields has no bytes, and the bytes of the answer are only counted, so no
// generated code is needed.
func askSchema(ctx context.Context, address string) (size int, err error) {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return 0, err
	}
	defer func() {
		if closed := connection.Close(); err == nil {
			err = closed
		}
	}()
	var answer []byte
	err = connection.Invoke(ctx, "/tfplugin6.Provider/GetProviderSchema", []byte{}, &answer,
		grpc.ForceCodec(rawCodec{}), grpc.MaxCallRecvMsgSize(64<<20), grpc.WaitForReady(true))
	return len(answer), err
}

// rawCodec passes messages through as bytes.
type rawCodec struct{}

// Marshal implements encoding.Codec.
func (rawCodec) Marshal(v any) ([]byte, error) {
	message, ok := v.([]byte)
	if !ok {
		return nil, fmt.Errorf("%T is not bytes", v)
	}
	return message, nil
}

// Unmarshal implements encoding.Codec.
func (rawCodec) Unmarshal(data []byte, v any) error {
	message, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is not bytes", v)
	}
	*message = data
	return nil
}

// Name implements encoding.Codec.
func (rawCodec) Name() string { return "raw" }
