package control

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// message is a request under construction: its length in four bytes, its type, its body.
type message []byte

func newMessage(ask byte) message { return message{0, 0, 0, 0, ask} }

func (m message) uvarint(u uint64) message { return binary.AppendUvarint(m, u) }

func (m message) text(s string) message { return append(m.uvarint(uint64(len(s))), s...) }

func (m message) value(v event.Value) message { return event.AppendValue(m, v) }

// send writes the message with its length filled in.
func (m message) send(w io.Writer) error {
	if len(m)-4 > ring.ControlMaxRequest {
		return fmt.Errorf("a message of %d bytes is longer than the program takes (%d)", len(m)-4,
			ring.ControlMaxRequest)
	}
	binary.LittleEndian.PutUint32(m, uint32(len(m)-4))
	_, err := w.Write(m)
	return err
}

// receive reads the type and the body of a reply.
func receive(r io.Reader) (answer byte, body *reader, err error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(head[:])
	if n == 0 || n > ring.ControlMaxReply {
		return 0, nil, fmt.Errorf("a reply of %d bytes: %w", n, errReply)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, nil, err
	}
	return b[0], &reader{b: b[1:]}, nil
}

var errReply = errors.New("invalid reply from the program: build it with this version of antichain")

// reader takes a reply apart. After an error everything reads as zero.
type reader struct {
	b   []byte
	err error
}

func (r *reader) uvarint() uint64 {
	u, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return u
}

func (r *reader) text() string {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.fail()
		return ""
	}
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail()
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

// count reads the number of things that follow, each of at least one byte.
func (r *reader) count() int {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.fail()
		return 0
	}
	return int(n)
}

func (r *reader) value() event.Value {
	v, rest, err := event.DecodeValue(r.b, event.Limits{})
	if err != nil {
		r.fail()
		return event.NullValue()
	}
	r.b = rest
	return v
}

func (r *reader) fail() { r.b, r.err = nil, errReply }

// finish returns the error of reading, or one if the reply has bytes left.
func (r *reader) finish() error {
	if r.err == nil && len(r.b) > 0 {
		r.fail()
	}
	return r.err
}
