package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
)

// client sends requests to the service that BENCH_PEER names.
type client struct {
	http http.Client
	url  string
}

func newClient() *client {
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	return &client{http: http.Client{Transport: transport}, url: os.Getenv("BENCH_PEER")}
}

// action is the service's answer to whatever changes something.
type action struct {
	ID int64 `json:"id"`
}

// remote is a server as the service describes it.
type remote struct {
	Status          string `json:"status"`
	PrimaryDiskSize int64  `json:"primary_disk_size"`
	Datacentre      struct {
		Name string `json:"name"`
	} `json:"datacentre"`
	IPv4Address string `json:"ipv4_address"`
	IPv6Address string `json:"ipv6_address"`
	IPv6Network string `json:"ipv6_network"`
	Network     []struct {
		IP         string `json:"ip"`
		MACAddress string `json:"mac_address"`
	} `json:"network"`
}

// call sends one request and decodes the answer.
func (c *client) call(ctx context.Context, method, path string, body, answer any) (err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer func() {
		if closed := response.Body.Close(); err == nil {
			err = closed
		}
	}()
	content, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return json.Unmarshal(content, answer)
}
