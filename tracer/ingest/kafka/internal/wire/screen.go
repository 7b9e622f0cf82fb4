package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/segmentio/kafka-go/protocol"
)

// screen is a connection that kafka-go may read. For its own requests, kafka-go makes room for as many elements as an answer
// says that it has, before it looks whether they are there: twelve bytes could take all memory. So a screen hands out an answer
// to those only when it has decoded it without harm, and of each answer no more than it says it is long: what came behind it
// would be taken for the next one.
type screen struct {
	net.Conn
	key     protocol.ApiKey // of the request that was written last
	version int16
	unsent  int       // bytes of it that are still to be written
	answer  io.Reader // to it
	left    int       // bytes of the answer that are still to be read; -1 if it has not begun
	err     error     // of the answer. kafka-go reads on behind it
}

const (
	// requestHead is what is known of a request: length, key and version.
	requestHead = 4 + 2 + 2
	// metadataAnswer is how many bytes brokers may say of all brokers and some topics.
	metadataAnswer = 4 << 20
)

// Write implements net.Conn. One request is written at a time, its beginning at once, and its answer read before the next one.
func (s *screen) Write(b []byte) (int, error) {
	if s.unsent == 0 {
		if len(b) < requestHead {
			return 0, errors.New("a request begins in pieces")
		}
		s.unsent = int(binary.BigEndian.Uint32(b)) + 4
		s.key, s.version = protocol.ApiKey(binary.BigEndian.Uint16(b[4:])), int16(binary.BigEndian.Uint16(b[6:]))
		s.left = -1
	}
	n, err := s.Conn.Write(b)
	s.unsent -= n
	return n, err
}

// Read implements net.Conn.
func (s *screen) Read(b []byte) (int, error) {
	if s.left < 0 && s.err == nil {
		s.err = s.begin()
	}
	if s.left == 0 && s.err == nil {
		s.err = errors.New("the broker was not asked for what is read")
	}
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.answer.Read(b[:min(len(b), s.left)])
	s.left -= n
	return n, err
}

// begin reads the length of an answer, and all of one that kafka-go may decode.
func (s *screen) begin() error {
	var head [4]byte
	if _, err := io.ReadFull(s.Conn, head[:]); err != nil {
		return err
	}
	size := int(int32(binary.BigEndian.Uint32(head[:])))
	if size < 0 {
		return fmt.Errorf("the answer to %v has %d bytes", s.key, size)
	}
	rest := io.Reader(s.Conn)
	if s.key == protocol.Metadata || s.key == protocol.ApiVersions {
		if size > metadataAnswer {
			return fmt.Errorf("the answer to %v has %d bytes: the limit is %d", s.key, size, metadataAnswer)
		}
		b, err := readAll(s.Conn, size)
		if err == nil {
			err = s.check(b)
		}
		if err != nil {
			return err
		}
		rest = bytes.NewReader(b)
	}
	s.answer, s.left = io.MultiReader(bytes.NewReader(head[:]), rest), len(head)+size
	return nil
}

// check reports, as an error, that an answer is damaged. Of the other requests that kafka-go makes on its own (FindCoordinator) the
// answer has no arrays.
func (s *screen) check(b []byte) (err error) {
	a := &answer{s.key, s.version, decoder{b: b, flexible: s.key == protocol.Metadata && s.version >= flexibleMetadata}}
	a.int32() // number of the request
	a.tags()
	switch {
	case s.key == protocol.Metadata && s.version >= oldestMetadata:
		_, err = parseMetadata(a)
	case s.key == protocol.ApiVersions && s.version == 0:
		_, err = parseVersions(a)
	default:
		err = fmt.Errorf("the broker takes %v no newer than %d, which is too old", s.key, s.version)
	}
	return err
}
