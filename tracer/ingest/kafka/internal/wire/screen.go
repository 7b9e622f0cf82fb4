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

// screen protects a connection that kafka-go reads. For its own requests, kafka-go allocates as
// many elements as an answer claims, before it checks that they are there: twelve bytes could take
// all memory. So a screen passes such an answer on only after decoding it successfully. It passes
// no more than the length of each answer: excess bytes would be taken for the next one.
type screen struct {
	net.Conn
	key     protocol.ApiKey // of the last request written
	version int16
	unsent  int       // bytes of it still to be written
	answer  io.Reader // to it
	left    int       // bytes of the answer still to be read; -1 if it has not begun
	err     error     // of the answer. kafka-go continues to read after it
}

const (
	// the known part of a request: length, key and version
	requestHead = 4 + 2 + 2
	// bounds an answer about all brokers and some topics
	metadataAnswer = 4 << 20
)

// Write implements net.Conn. One request is written at a time, its beginning at once, and its
// answer read before the next one.
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

// begin reads the length of an answer, and the whole answer if kafka-go may decode it.
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

// check returns an error if an answer is damaged. The answers to kafka-go's other own requests
// (FindCoordinator) have no arrays.
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
