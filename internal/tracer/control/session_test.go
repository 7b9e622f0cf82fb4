package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"pgregory.net/rapid"
)

// answering is the other end of a connection: it answers each request with the next reply,
// then goes away.
func answering(t *testing.T, replies ...message) net.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		for _, reply := range replies {
			if _, _, err := receive(theirs); err != nil {
				return
			}
			if reply.send(theirs) != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { ours.Close() })
	return ours
}

func hello(version, pid uint64) message {
	return newMessage(ring.AnswerHello).uvarint(version).uvarint(pid)
}

// A program that greets in another way is not talked to.
func TestGreeting(t *testing.T) {
	for _, tt := range []struct {
		reply message
		want  string
	}{
		{hello(ring.ControlVersion, 7), ""},
		{hello(ring.ControlVersion+1, 7),
			"process 7: the program uses version 2 of the protocol, not 1: build it with this version of antichain"},
		{hello(ring.ControlVersion, 8), "process 7: the program says that it is process 8, the system that it is 7"},
		{hello(ring.ControlVersion, 7).text("more"), "process 7: " + errReply.Error()},
		{newMessage(ring.AnswerHello), "process 7: " + errReply.Error()},
		{newMessage(ring.AnswerDone), "process 7: " + errReply.Error()},
		{newMessage(ring.AnswerError).text("no"), "process 7: no"},
	} {
		_, err := handshake(context.Background(), answering(t, tt.reply), 7, nil)
		if got := fmt.Sprint(err); got != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%x: error %q, want %q", tt.reply, got, tt.want)
		}
	}
}

// After a reply that makes no sense the session is over: no later one is taken for another's.
func TestBrokenSession(t *testing.T) {
	s, err := handshake(context.Background(), answering(t, hello(ring.ControlVersion, 7), newMessage(ring.AnswerValue)), 7,
		nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Resume(); !errors.Is(err, errReply) {
			t.Errorf("error %v", err)
		}
	}
}

type brokenHalter struct{}

func (brokenHalter) Halt() error { return errors.New("no ring") }

// Without the ring's word nothing is asked of the program.
func TestHalterFails(t *testing.T) {
	s, err := handshake(context.Background(), answering(t, hello(ring.ControlVersion, 7)), 7, brokenHalter{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Halt(); err == nil || err.Error() != "no ring" {
		t.Errorf("error %v", err)
	}
}

// Whatever a program sends ends in an error or in values, and takes bounded memory.
func TestReplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(t, "body")
		head := []byte{byte(len(body)), 0, 0, rapid.SampledFrom([]byte{0, 0, 0, 255}).Draw(t, "length")}
		answer, r, err := receive(strings.NewReader(string(head) + string(body)))
		if err != nil {
			if len(body) > 0 && head[3] == 0 {
				t.Fatalf("a whole reply: %v", err)
			}
			return
		}
		if answer != body[0] {
			t.Fatalf("type %d", answer)
		}
		switch rapid.IntRange(0, 2).Draw(t, "as") {
		case 0:
			for range r.count() {
				readTask(r)
			}
		case 1:
			_ = r.text()
			_ = r.value()
		case 2:
			_, _ = r.uvarint(), r.byte()
		}
		if r.finish() == nil && len(r.b) > 0 {
			t.Fatal("the reply goes on")
		}
	})
	if _, _, err := receive(io.LimitReader(strings.NewReader("\xff\xff\xff\xff"), 4)); !errors.Is(err, errReply) {
		t.Errorf("a reply of 4 GiB: %v", err)
	}
}
