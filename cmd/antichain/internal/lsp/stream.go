package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/antichain-go/antichain/internal/wording"
	"github.com/sourcegraph/jsonrpc2"
)

const (
	maxHeaders = 1 << 12 // limit for the headers of a message
	// limit for the content of a message: a specification may have 1 MiB, which escapes make longer
	maxMessage = 1 << 25
)

// stream frames messages by headers. It answers a message that is not JSON-RPC with an error, and
// reads the next one.
type stream struct {
	in  *bufio.Reader
	out io.Writer

	writing sync.Mutex
	failure error // the error that ended reading; nil at the end of the input
}

var errNoEnd = errors.New("the client went away in the middle of a message")

// ReadObject reads the next message into v.
func (s *stream) ReadObject(v any) error {
	for {
		content, err := s.content()
		if err != nil {
			if err != io.EOF {
				s.failure = err
			}
			return err
		}
		err = json.Unmarshal(content, v)
		if err == nil {
			return nil
		}
		code := jsonrpc2.CodeParseError
		if json.Valid(content) {
			code = jsonrpc2.CodeInvalidRequest
		}
		answer := struct {
			Version string          `json:"jsonrpc"`
			ID      any             `json:"id"`
			Error   *jsonrpc2.Error `json:"error"`
		}{"2.0", nil, &jsonrpc2.Error{Code: int64(code), Message: "this is no message of JSON-RPC 2.0: " + err.Error()}}
		if err := s.WriteObject(answer); err != nil {
			s.failure = err
			return err
		}
	}
}

// content reads the content of a message.
func (s *stream) content() ([]byte, error) {
	length, err := s.headers()
	if err != nil {
		return nil, err
	}
	// the buffer grows with the data received, not with the promised length
	content, err := io.ReadAll(io.LimitReader(s.in, int64(length)))
	if err == nil && len(content) < length {
		err = errNoEnd
	}
	return content, err
}

// headers reads the headers of a message, and returns the length of its content.
func (s *stream) headers() (length int, err error) {
	length = -1
	for read := 0; ; {
		line, err := s.in.ReadSlice('\n')
		read += len(line)
		switch {
		case err == io.EOF && read == 0:
			return 0, io.EOF
		case err == io.EOF:
			return 0, errNoEnd
		case errors.Is(err, bufio.ErrBufferFull) || read > maxHeaders:
			return 0, fmt.Errorf("the headers of a message have more than %d bytes: a client of the Language Server Protocol is expected on standard input", maxHeaders)
		case err != nil:
			return 0, err
		}
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case !ok && name == "" && length >= 0:
			return length, nil
		case !ok && name == "":
			return 0, errors.New("a message has no header Content-Length: a client of the Language Server Protocol is expected on standard input")
		case !ok:
			return 0, fmt.Errorf("%q is no header of a message: a client of the Language Server Protocol is expected on standard input", clip(name))
		case strings.EqualFold(name, "Content-Length"):
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxMessage {
				return 0, fmt.Errorf("Content-Length: %q is no number of at most %d", clip(strings.TrimSpace(value)),
					maxMessage)
			}
		}
	}
}

// clip shortens text of a client for a message.
func clip(text string) string { return wording.Beginning(text, 60) }

// WriteObject writes a message.
func (s *stream) WriteObject(v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err = fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(content), content)
	return err
}

// Close does nothing: the standard streams belong to the process.
func (s *stream) Close() error { return nil }
