package wire

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/segmentio/kafka-go/protocol"
)

// request is a request of any kind. It goes over a connection of a kafka.Transport, which passes it
// through.
type request struct {
	key           protocol.ApiKey
	maxVersion    int16                           // the newest version that the body has
	flexibleSince int16                           // the first flexible version; 0 if none is
	body          func(e *encoder, version int16) // nil is none
	// returns the version to use, the highest at most; nil is the highest
	versions func(protocol.ApiKey, int16) int16
	limit    int // of the bytes of the answer; 0 is 16 MiB
}

type answer struct {
	key     protocol.ApiKey
	version int16 // of the request
	decoder
}

const defaultAnswer = 16 << 20

// clientID is the client's name in the logs of brokers.
const clientID = "antichain"

// ErrTLS is the error of a connection to a broker that speaks TLS, by a client that does not.
var ErrTLS = errors.New("the broker answers with an alert of TLS")

var _ protocol.RawExchanger = (*request)(nil)

// ApiKey implements protocol.Message.
func (r *request) ApiKey() protocol.ApiKey { return r.key }

// ApiKey implements protocol.Message.
func (a *answer) ApiKey() protocol.ApiKey { return a.key }

// Required implements protocol.RawExchanger.
func (r *request) Required(map[protocol.ApiKey]int16) bool { return true }

type brokerRequest struct {
	*request
	id int32
}

// Broker implements protocol.BrokerMessage.
func (r brokerRequest) Broker(protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: r.id}, nil
}

// controllerRequest is a request to the broker that creates topics.
type controllerRequest struct{ *request }

// Broker implements protocol.BrokerMessage.
func (r controllerRequest) Broker(c protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: c.Controller}, nil
}

// groupRequest is a request to the coordinator of a group.
type groupRequest struct {
	*request
	group string
}

// Group implements protocol.GroupMessage.
func (r groupRequest) Group() string { return r.group }

var (
	_ protocol.BrokerMessage = brokerRequest{}
	_ protocol.BrokerMessage = controllerRequest{}
	_ protocol.GroupMessage  = groupRequest{}
)

// correlation numbers requests.
var correlation atomic.Int32

// RawExchange implements protocol.RawExchanger.
func (r *request) RawExchange(rw io.ReadWriter) (protocol.Message, error) {
	id, version := correlation.Add(1), r.maxVersion
	if r.versions != nil {
		version = r.versions(r.key, version) // known now that there is a connection
	}
	flexible := r.flexibleSince > 0 && version >= r.flexibleSince
	message := r.message(id, version, flexible)
	if _, err := rw.Write(message); err != nil {
		return nil, err
	}
	spare.put(message)
	var head [8]byte
	n, err := io.ReadFull(rw, head[:])
	// an alert, and a version of TLS; no answer is so long
	if n > 1 && head[0] == 0x15 && head[1] == 3 {
		return nil, ErrTLS
	}
	if err != nil {
		return nil, err
	}
	size, got := int64(int32(binary.BigEndian.Uint32(head[:])))-4, int32(binary.BigEndian.Uint32(head[4:]))
	limit := cmp.Or(r.limit, defaultAnswer)
	if got != id || size < 0 || size > int64(limit) {
		return nil, fmt.Errorf("request %d for %v is answered by %d bytes for request %d: the limit is %d", id, r.key,
			size, got, limit)
	}
	b, err := readAll(rw, int(size))
	if err != nil {
		return nil, err
	}
	a := &answer{r.key, version, decoder{b: b, flexible: flexible}}
	a.tags()
	return a, nil
}

// message returns the bytes of the request.
func (r *request) message(id int32, version int16, flexible bool) []byte {
	e := encoder{b: spare.get()}
	e.int32(0)
	e.int16(int16(r.key))
	e.int16(version)
	e.int32(id)
	e.string(clientID)
	e.flexible = flexible
	e.noTags()
	if r.body != nil {
		r.body(&e, version)
	}
	binary.BigEndian.PutUint32(e.b, uint32(len(e.b)-4))
	return e.b
}

// readAll reads n bytes. Memory grows with those that arrive, since n may be false.
func readAll(r io.Reader, n int) ([]byte, error) {
	const first = 4 << 20
	b := make([]byte, min(n, first))
	for at := 0; ; {
		if _, err := io.ReadFull(r, b[at:]); err == io.EOF {
			return nil, io.ErrUnexpectedEOF
		} else if err != nil {
			return nil, err
		}
		if at = len(b); at == n {
			return b, nil
		}
		b = append(b, make([]byte, min(at, n-at))...)
	}
}
