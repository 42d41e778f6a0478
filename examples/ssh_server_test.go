package examples_test

import (
	"bufio"
	"crypto/ed25519"
	"crypto/rand"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/ssh"
)

// sshServer takes what a provisioner uploads and runs, and runs nothing.
type sshServer struct {
	config   *ssh.ServerConfig
	mu       sync.Mutex
	uploaded string
}

// startSSHServer serves on a loopback port until the test ends. It accepts the root password of the examples.
func startSSHServer(t *testing.T) (s *sshServer, address string) {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	s = &sshServer{config: &ssh.ServerConfig{PasswordCallback: func(_ ssh.ConnMetadata, password []byte) (*ssh.Permissions, error) {
		if string(password) != rootPassword {
			return nil, fmt.Errorf("wrong password")
		}
		return nil, nil
	}}}
	s.config.AddHostKey(signer)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(connection)
		}
	}()
	return s, listener.Addr().String()
}

func (s *sshServer) serve(connection net.Conn) {
	_, channels, requests, err := ssh.NewServerConn(connection, s.config)
	if err != nil {
		return
	}
	go ssh.DiscardRequests(requests)
	for offered := range channels {
		channel, requests, err := offered.Accept()
		if err != nil {
			return
		}
		go s.session(channel, requests)
	}
}

func (s *sshServer) session(channel ssh.Channel, requests <-chan *ssh.Request) {
	defer func() { _ = channel.Close() }()
	for request := range requests {
		_ = request.Reply(true, nil)
		if request.Type != "exec" {
			continue
		}
		if strings.Contains(string(request.Payload), "scp") {
			s.receive(channel)
		}
		_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{}))
		return
	}
}

// receive is the receiving half of scp, for one file.
func (s *sshServer) receive(channel ssh.Channel) {
	acknowledge := func() { _, _ = channel.Write([]byte{0}) }
	acknowledge()
	from := bufio.NewReader(channel)
	header, err := from.ReadString('\n')
	if err != nil {
		return
	}
	var mode, name string
	var size int64
	if _, err := fmt.Sscanf(header, "%s %d %s", &mode, &size, &name); err != nil {
		return
	}
	acknowledge()
	content, err := io.ReadAll(io.LimitReader(from, size))
	if err != nil {
		return
	}
	s.mu.Lock()
	s.uploaded += string(content)
	s.mu.Unlock()
	_, _ = from.ReadByte()
	acknowledge()
}

var sshServers sync.Map // by workspace

// reachesAnSSHServer points the example at a server here: nothing answers on the addresses of the emulator's machines.
func reachesAnSSHServer(w *workspace) {
	server, address := startSSHServer(w.T)
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		w.Fatal(err)
	}
	sshServers.Store(w, server)
	w.edit("main.tf", "    host     = cloudserver_vm.web.ipv4_address\n", fmt.Sprintf("    host     = %q\n    port     = %s\n", host, port))
}

func ranOverSSH(w *workspace) {
	found, _ := sshServers.Load(w)
	server, ok := found.(*sshServer)
	if !ok {
		w.Fatal("there is no server")
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	if !strings.Contains(server.uploaded, "apt-get install -y nginx") {
		w.Errorf("uploaded: %q", server.uploaded)
	}
}
