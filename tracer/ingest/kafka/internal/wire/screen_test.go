package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"net"
	"runtime"
	"testing"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/apiversions"
	"github.com/segmentio/kafka-go/protocol/metadata"
)

// broker answers each request over the connection that it returns, with what say says behind the
// length and the number.
func broker(t *testing.T, say func(key protocol.ApiKey, e *encoder)) net.Conn {
	t.Helper()
	client, server := net.Pipe()
	t.Cleanup(func() { _ = client.Close() })
	go func() {
		defer server.Close()
		for {
			var head [4]byte
			if _, err := io.ReadFull(server, head[:]); err != nil {
				return
			}
			b := make([]byte, binary.BigEndian.Uint32(head[:]))
			if _, err := io.ReadFull(server, b); err != nil {
				return
			}
			e := encoder{b: append(make([]byte, 4), b[4:8]...)}
			say(protocol.ApiKey(binary.BigEndian.Uint16(b)), &e)
			if binary.BigEndian.Uint32(e.b) == 0 {
				binary.BigEndian.PutUint32(e.b, uint32(len(e.b)-4))
			}
			if _, err := server.Write(e.b); err != nil {
				return
			}
		}
	}()
	return client
}

// takes returns how many bytes are allocated by something.
func takes(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// An answer that lies about what is in it takes no more memory than it has bytes, also where
// kafka-go decodes it.
func TestHostileAnswers(t *testing.T) {
	const lie = math.MaxInt32
	for name, say := range map[string]func(key protocol.ApiKey, e *encoder){
		"versions": func(key protocol.ApiKey, e *encoder) {
			e.int16(0)
			e.int32(lie)
		},
		"brokers": func(key protocol.ApiKey, e *encoder) {
			if key == protocol.Metadata {
				e.int32(0)
				e.int32(lie)
				return
			}
			takesAll(e)
		},
		"length": func(key protocol.ApiKey, e *encoder) {
			if key == protocol.Metadata {
				binary.BigEndian.PutUint32(e.b, lie)
				e.int32(0)
				return
			}
			takesAll(e)
		},
		// the old version has nothing before the brokers
		"old": func(key protocol.ApiKey, e *encoder) {
			if key == protocol.Metadata {
				e.int32(lie)
				return
			}
			e.int16(0)
			e.array(1)
			for _, v := range []int16{int16(protocol.Metadata), 0, 0} {
				e.int16(v)
			}
		},
	} {
		conn := protocol.NewConn(&screen{Conn: broker(t, say)}, clientID) // as kafka-go has it
		var err error
		used := takes(func() {
			var m protocol.Message
			if m, err = conn.RoundTrip(new(apiversions.Request)); err != nil {
				return
			}
			versions := map[protocol.ApiKey]int16{}
			for _, v := range m.(*apiversions.Response).ApiKeys {
				versions[protocol.ApiKey(v.ApiKey)] = v.MaxVersion
			}
			conn.SetVersions(versions)
			_, err = conn.RoundTrip(&metadata.Request{TopicNames: []string{}})
		})
		if err == nil || used > 1<<20 {
			t.Errorf("%s: %v, and %d bytes", name, err, used)
		}
	}
}

// takesAll says that requests are taken in versions that kafka-go knows.
func takesAll(e *encoder) {
	e.int16(0)
	e.array(1)
	for _, v := range []int16{int16(protocol.Metadata), 0, 8} {
		e.int16(v)
	}
}

// Bytes behind an answer are not taken for the answer to the next request.
func TestBehindAnAnswer(t *testing.T) {
	conn := protocol.NewConn(&screen{Conn: broker(t, func(key protocol.ApiKey, e *encoder) {
		e.int32(7)
		binary.BigEndian.PutUint32(e.b, 8)
		e.b = append(e.b, bytes.Repeat([]byte{0, 0, 0, 8}, 8)...)
	})}, clientID)
	a, err := exchange(conn, &request{key: protocol.Heartbeat})
	if err != nil || a.int32() != 7 {
		t.Fatal(a, err)
	}
	if n, err := conn.Read(make([]byte, 64)); n != 0 || err == nil || errors.Is(err, io.EOF) {
		t.Errorf("%d bytes are read behind the answer, error %v", n, err)
	}
}
