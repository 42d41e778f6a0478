package cloudserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	maxBody      = 16 << 20 // bytes of an answer to a read of machines, groups or accounts
	maxSmallBody = 1 << 20  // of any other
	// memoryOfAnswer is how many bytes an answer may take, decoded and not yet
	// decoded together.
	memoryOfAnswer = 3 * maxBody

	// maxLarge is how many answers of more than maxSmallBody are in memory at
	// once. The others wait, so that the sum is bounded as well.
	maxLarge = 3

	maxEmptyReads = 100 // that return neither data nor an error

	readGrace = 200 * time.Millisecond // for a body that is complete when the context ends
)

var (
	// errTooLarge stops an endless answer from filling the memory.
	errTooLarge = errors.New("the answer is larger than any of the service's")
	// errSwitched is an answer that ends HTTP: its body has no end.
	errSwitched = fmt.Errorf("the answer is %d %s, which no call asks for", http.StatusSwitchingProtocols, http.StatusText(http.StatusSwitchingProtocols))
)

// largeAnswers holds an element for every large answer in memory.
type largeAnswers chan struct{}

// reading is the result of reading a body.
type reading struct {
	body    []byte
	err     error
	release func()
}

// read reads an answer whole and within bounds, and returns when the context
// ends, whatever the body does.
func (e *exchanger) read(ctx context.Context, response *http.Response, x *exchange) ([]byte, error) {
	if response.StatusCode < http.StatusOK {
		go func() { _ = response.Body.Close() }() // it may block
		return nil, errSwitched
	}
	done := make(chan reading, 1)
	go func() {
		read := e.readBody(ctx, response, x.limit)
		if err := response.Body.Close(); err != nil && read.err == nil {
			read.err = err
		}
		done <- read
	}()
	read, ok := await(ctx, done)
	switch {
	case !ok:
		go func() {
			_ = response.Body.Close() // ends a read that ignores the context
			(<-done).release()
		}()
		return nil, ctx.Err()
	case read.err != nil:
		read.release()
		return nil, read.err
	}
	x.release = read.release
	return read.body, nil
}

// await returns the reading unless the context ends. An answer that has arrived
// by then still counts: it shows what exists.
func await(ctx context.Context, done <-chan reading) (reading, bool) {
	select {
	case read := <-done:
		return read, true
	case <-ctx.Done():
	}
	timer := time.NewTimer(readGrace)
	defer timer.Stop()
	select {
	case read := <-done:
		return read, true
	case <-timer.C:
		return reading{}, false
	}
}

// readBody reads a body up to the limit. What a refusal says beyond it is cut.
func (e *exchanger) readBody(ctx context.Context, response *http.Response, limit int) reading {
	refusal := response.StatusCode >= http.StatusMultipleChoices
	if refusal {
		limit = 2 * longestErrorBody
	}
	read := reading{body: make([]byte, 0, 512), release: func() {}}
	for empty := 0; ; {
		if len(read.body) == cap(read.body) {
			if err := e.grow(ctx, &read, response.ContentLength, limit); err != nil {
				read.err = err
				return read
			}
		}
		n, err := response.Body.Read(read.body[len(read.body):cap(read.body)])
		read.body = read.body[:len(read.body)+n]
		if empty++; n > 0 {
			empty = 0
		}
		switch {
		case len(read.body) > limit && refusal:
			read.body = read.body[:limit]
			return read
		case len(read.body) > limit:
			read.err = errTooLarge
		case errors.Is(err, io.EOF):
			return read
		case err != nil:
			read.err = fmt.Errorf("the answer broke off: %w", err)
		case empty > maxEmptyReads:
			read.err = io.ErrNoProgress
		default:
			continue
		}
		return read
	}
}

// grow makes room in the buffer, and waits for its turn before it becomes large.
func (e *exchanger) grow(ctx context.Context, read *reading, announced int64, limit int) error {
	size := 2 * cap(read.body)
	if size > maxSmallBody && cap(read.body) <= maxSmallBody && limit > maxSmallBody {
		select {
		case e.large <- struct{}{}:
			read.release = func() { <-e.large }
		case <-ctx.Done():
			return ctx.Err()
		}
		size = max(size, int(min(announced, int64(limit)))+1)
	}
	grown := make([]byte, len(read.body), min(size, limit+1))
	copy(grown, read.body)
	read.body = grown
	return nil
}
