//go:build linux && (amd64 || arm64)

package control

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// raw connects without a greeting as soon as the program listens.
func raw(t *testing.T, socket string) net.Conn {
	t.Helper()
	for {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			t.Cleanup(func() { conn.Close() })
			return conn
		}
		if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
}

func frame(body ...byte) []byte {
	return append([]byte{byte(len(body)), byte(len(body) >> 8), 0, 0}, body...)
}

// Whatever a peer sends, the program goes on and listens to the next one.
func TestPeers(t *testing.T) {
	hello := frame(ring.AskHello, ring.ControlVersion)
	for name, send := range map[string][]byte{
		"nothing":         {},
		"garbage":         bytes.Repeat([]byte("garbage "), 100),
		"length only":     {5, 0, 0, 0},
		"half a length":   {5, 0},
		"no type":         frame(),
		"too long":        {0, 0, 0, 1, 1, 1, 1},
		"another version": frame(ring.AskHello, ring.ControlVersion+1),
		"no version":      frame(ring.AskHello),
		"too much":        frame(ring.AskHello, ring.ControlVersion, 0),
		"endless number": frame(ring.AskHello, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
			0xff, 0xff),
		"no greeting":            frame(ring.AskHalt),
		"greeting":               hello,
		"unknown message":        append(hello, frame(99)...),
		"half a message":         append(hello, 9, 0, 0, 0, ring.AskGet),
		"a text beyond its end":  append(hello, frame(ring.AskGet, 200, 1, 'x')...),
		"halt and away":          append(hello, frame(ring.AskHalt)...),
		"halt, half a message":   append(append(hello, frame(ring.AskHalt)...), 9, 0),
		"halt, impossible value": append(append(hello, frame(ring.AskHalt)...), frame(ring.AskSet, 0, 0, 77)...),
		"halt, endless list": append(append(hello, frame(ring.AskHalt)...),
			frame(ring.AskTasks, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f)...),
		"halt, detach with a tail": append(append(hello, frame(ring.AskHalt)...), frame(ring.AskDetach, 1)...),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, nil, "locked")
			p.line(t, "ready")
			conn := raw(t, p.socket).(*net.UnixConn)
			if _, err := conn.Write(send); err != nil && !errors.Is(err, syscall.EPIPE) {
				t.Fatal(err)
			}
			conn.CloseWrite()
			io.Copy(io.Discard, conn) // until the program closes
			s, err := Dial(t.Context(), p.socket, p.ring)
			if err != nil {
				t.Fatalf("%v\n%s", err, p.stderr.String())
			}
			defer s.Close()
			var before string
			eventually(t, s, func() bool { before = get(t, s, "counter"); return true })
			if err := s.Resume(); err != nil {
				t.Fatal(err)
			}
			eventually(t, s, func() bool { return get(t, s, "counter") != before })
			if text := p.stderr.String(); text != "" {
				t.Errorf("the program says %q", text)
			}
		})
	}
}

// A silent peer does not block others for long.
func TestSilentPeer(t *testing.T) {
	p := start(t, nil, "locked")
	raw(t, p.socket)
	half := raw(t, p.socket)
	if _, err := half.Write([]byte{3}); err != nil {
		t.Fatal(err)
	}
	s := p.dial(t)
	if err := s.Halt(); err != nil {
		t.Fatal(err)
	}
}

// Users other than the program's are refused by it even if they can reach the socket.
func TestOtherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be another user")
	}
	p := start(t, nil, "locked")
	p.line(t, "ready")
	// Let them in, which a private directory does not.
	for dir := filepath.Dir(p.socket); dir != "/"; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode()&0o001 == 0 {
			if err := os.Chmod(dir, info.Mode()|0o011); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(dir, info.Mode())
		}
	}
	if err := os.Chmod(p.socket, 0o666); err != nil {
		t.Fatal(err)
	}
	helper := filepath.Join(filepath.Dir(p.socket), "helper")
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(helper, self, 0o755); err != nil {
		t.Fatal(err)
	}
	for uid, want := range map[uint32]string{0: "answered", 65534: "refused"} {
		cmd := exec.Command(helper, p.socket)
		cmd.Env = []string{helperEnv + "=greet"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		cmd.Dir = "/"
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("user %d: %q, %v", uid, out, err)
		}
	}
}

// The client refuses sockets that others could have made.
func TestUnsafeSocket(t *testing.T) {
	dir := t.TempDir()
	os.Chmod(dir, 0o700)
	socket := filepath.Join(dir, SocketName)
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	try := func(path, want string) {
		t.Helper()
		conn, _, err := connect(context.Background(), path)
		if err == nil {
			conn.Close()
		}
		if got := fmt.Sprint(err); !strings.Contains(got, want) {
			t.Errorf("error %q, want %q", got, want)
		}
	}
	os.Chmod(socket, 0o600)
	try(socket, "<nil>")
	os.Chmod(socket, 0o660)
	try(socket, "open to other users: its mode is 660")
	os.Chmod(socket, 0o600)
	os.Chmod(dir, 0o755)
	try(socket, "open to other users: its mode is 755")
	os.Chmod(dir, 0o700)
	os.Symlink(socket, filepath.Join(dir, "link"))
	try(filepath.Join(dir, "link"), "not a socket")
	os.Symlink(dir, dir+"-link")
	defer os.Remove(dir + "-link")
	try(filepath.Join(dir+"-link", SocketName), "not a directory")
	try(filepath.Join(dir, "missing"), "no such file")
	if os.Getuid() == 0 {
		os.Chown(socket, 65534, 65534)
		try(socket, "belongs to user 65534")
	}
}
