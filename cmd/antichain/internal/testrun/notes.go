package testrun

import (
	"io"
	"net"
	"path/filepath"
)

// Notes are what a user is to know while tests run: go test may keep what a test binary prints until that ends. They go to a socket in the
// exchange directory.
type notes struct{ exchange string }

const notesSocket = "notes"

// Write passes a note on.
func (n notes) Write(b []byte) (int, error) {
	conn, err := net.Dial("unix", filepath.Join(n.exchange, notesSocket))
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	return conn.Write(b)
}

// show writes the notes to w as they come, until it is closed.
func (n notes) show(w io.Writer) (io.Closer, error) {
	l, err := net.Listen("unix", filepath.Join(n.exchange, notesSocket))
	if err != nil {
		return nil, err
	}
	go func() {
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
