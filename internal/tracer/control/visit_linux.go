package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Host is a checker that has halted its program and waits for a person to inspect it.
type Host struct{ listener *net.UnixListener }

// NewHost makes the socket for visitors in the directory of a program.
func NewHost(dir string) (*Host, error) {
	path := filepath.Join(dir, DialogueName)
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	// until then the mode of the directory keeps other users away
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &Host{listener}, nil
}

// Close stops listening. A call of Visitor fails.
func (h *Host) Close() error { return h.listener.Close() }

// Visitor waits for the next visitor. It fails once the host is closed.
func (h *Host) Visitor() (*Visitor, error) {
	for {
		conn, err := h.listener.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if v, err := receiveVisitor(conn); err == nil {
			return v, nil
		}
		conn.Close() // it brings neither a terminal nor a script
	}
}

// errVisitor is the error of a connection that is no visit.
var errVisitor = errors.New("neither a terminal nor a script")

// Visitor is a person at another terminal, or a script.
type Visitor struct {
	Terminal *os.File // nil for a script
	In, Out  *os.File // of a script

	conn  *net.UnixConn
	files []*os.File
}

func receiveVisitor(conn *net.UnixConn) (*Visitor, error) {
	what, rights := make([]byte, 1), make([]byte, unix.CmsgSpace(4*2))
	n, m, _, _, err := conn.ReadMsgUnix(what, rights)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(rights[:m])
	if err != nil || n != 1 || len(messages) != 1 {
		return nil, errors.Join(errVisitor, err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil {
		return nil, err
	}
	var files []*os.File
	for _, fd := range fds {
		unix.CloseOnExec(fd)
		files = append(files, os.NewFile(uintptr(fd), fmt.Sprint("visitor ", fd)))
	}
	v := &Visitor{conn: conn, files: files}
	switch {
	case what[0] == bringsTerminal && len(files) == 1:
		v.Terminal = files[0]
	case what[0] == bringsScript && len(files) == 2:
		v.In, v.Out = files[0], files[1]
	default:
		return nil, errors.Join(errVisitor, closeAll(files))
	}
	return v, nil
}

// errGone is the error of reading from a visitor whose process has ended.
var errGone = errors.New("antichain attach has ended")

// Read reads from the terminal. It fails when the visitor's process has ended, since the terminal
// may outlive it.
func (v *Visitor) Read(b []byte) (n int, err error) {
	raw, err := v.conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	gone := false
	err = raw.Control(func(conn uintptr) {
		fds := []unix.PollFd{{Fd: int32(v.Terminal.Fd()), Events: unix.POLLIN}, {Fd: int32(conn), Events: unix.POLLIN}}
		for again := true; again; {
			_, err := unix.Poll(fds, -1)
			again = err == unix.EINTR
		}
		gone = fds[1].Revents != 0 // the visitor sends nothing more: the connection has ended
	})
	switch {
	case err != nil:
		return 0, err
	case gone:
		return 0, errGone
	}
	return v.Terminal.Read(b)
}

func closeAll(files []*os.File) error {
	var errs []error
	for _, f := range files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// Close ends the visit.
func (v *Visitor) Close() error { return errors.Join(closeAll(v.files), v.conn.Close()) }

// HostOf returns the socket of the checker that has halted the program with that socket and waits
// for visitors, "" if there is none.
func HostOf(socket string) string {
	host := filepath.Join(filepath.Dir(socket), DialogueName)
	if err := checkOwner(host, unix.S_IFSOCK); err != nil {
		return ""
	}
	return host
}

// VisitTerminal passes a terminal to a host, and returns when the dialogue there has ended.
func VisitTerminal(ctx context.Context, host string, terminal *os.File) error {
	return visit(ctx, host, bringsTerminal, terminal)
}

// VisitScript passes commands to a host, and returns when they are carried out.
func VisitScript(ctx context.Context, host string, in, out *os.File) error {
	return visit(ctx, host, bringsScript, in, out)
}

func visit(ctx context.Context, host string, what byte, files ...*os.File) error {
	conn, _, err := connect(ctx, host)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	if _, _, err := conn.(*net.UnixConn).WriteMsgUnix([]byte{what}, unix.UnixRights(fds...), nil); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, conn); ctx.Err() == nil {
		return err
	}
	return context.Cause(ctx)
}
