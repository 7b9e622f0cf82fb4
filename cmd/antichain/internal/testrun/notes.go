package testrun

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
)

// Notes are what a user is to know while tests run: go test may keep what a test binary prints
// until that ends. They go to a socket in the exchange directory.
type notes struct{ exchange string }

// notesAddress is the address of the socket in the exchange directory. The system takes 108 bytes
// at most, and the directory's own name may be longer.
func notesAddress(exchange *os.File) string {
	return fmt.Sprintf("/proc/self/fd/%d/notes", exchange.Fd())
}

// Write passes a note on. It returns when the note is shown, or lost.
func (n notes) Write(b []byte) (int, error) {
	dir, err := os.Open(n.exchange)
	if err != nil {
		return 0, err
	}
	defer dir.Close()
	conn, err := net.Dial("unix", notesAddress(dir))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	written, err := conn.Write(b)
	if err == nil {
		err = conn.(*net.UnixConn).CloseWrite()
	}
	if err == nil {
		_, _ = io.Copy(io.Discard, conn) // until the other side has shown it
	}
	return written, err
}

// show writes the notes to w as they come, until it is closed.
func (n notes) show(w io.Writer) (io.Closer, error) {
	dir, err := os.Open(n.exchange)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("unix", notesAddress(dir))
	if err != nil {
		return nil, errors.Join(err, dir.Close())
	}
	go func() {
		defer dir.Close() // when the listener has removed the socket
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = io.Copy(w, conn)
			conn.Close()
		}
	}()
	return l, nil
}
