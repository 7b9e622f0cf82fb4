package control

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"

	"github.com/antichain-go/antichain/internal/tracer/ring"
)

// Attachment is a program that waited for a checker and now runs. Its owner must read the ring at
// once, or the program and its operator soon wait for room. It closes the ring after Session.Detach
// or the end of the program.
type Attachment struct {
	Ring *ring.Ring
	PID  int

	conn net.Conn
	dir  string // the program's, with the socket and the ring
}

// Resolve returns the process id and the socket of a program that waits for a checker. target is
// either of the two.
func Resolve(ctx context.Context, target string) (pid int, socket string, err error) {
	if pid, err = strconv.Atoi(target); err == nil {
		socket, err = Find(pid)
		return pid, socket, err
	}
	conn, pid, err := connect(ctx, target)
	if err != nil {
		return 0, "", err
	}
	return pid, target, conn.Close()
}

// Attach starts a program that waits for a checker. target is its process id or the path of its
// socket.
func Attach(ctx context.Context, target string, opt ring.Options) (*Attachment, error) {
	_, socket, err := Resolve(ctx, target)
	if err != nil {
		return nil, err
	}
	a := &Attachment{dir: filepath.Dir(socket)}
	if a.conn, a.PID, err = connect(ctx, socket); err != nil {
		return nil, err
	}
	opt.Control = true
	if a.Ring, err = ring.Create(a.dir, opt); err != nil {
		return nil, errors.Join(err, a.conn.Close())
	}
	// The program finds the ring under this name, which can be given once.
	if err := os.Link(a.Ring.Path(), filepath.Join(a.dir, ringName)); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("process %d already has a checker", a.PID)
		}
		return nil, errors.Join(err, a.Ring.Close(), a.conn.Close())
	}
	return a, nil
}

// Session begins the conversation with the program. It can be called once.
func (a *Attachment) Session(ctx context.Context) (*Session, error) {
	return handshake(ctx, a.conn, a.PID, a.Ring)
}

// Remove removes the program's directory once it is no longer needed.
func (a *Attachment) Remove() error { return os.RemoveAll(a.dir) }
