package control

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Find returns the path of the socket on which a process listens for a checker. It asks the system
// for the sockets of the process, and so depends on no directory's name.
func Find(pid int) (string, error) {
	inodes, err := sockets(pid)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("there is no process %d", pid)
	}
	if err != nil {
		return "", fmt.Errorf("process %d: %w", pid, err)
	}
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/unix", pid))
	if err != nil {
		return "", fmt.Errorf("process %d: %w", pid, err)
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		// Num RefCount Protocol Flags Type St Inode Path
		f := strings.Fields(lines.Text())
		const path = 7
		if len(f) == path+1 && f[3] == listening && inodes[f[6]] && filepath.Base(f[path]) == SocketName {
			return f[path], nil
		}
	}
	return "", fmt.Errorf("process %d does not wait for a checker: start a program that antichain build made with "+
		"ANTICHAIN_TRACE=%s", pid, TraceWait)
}

// listening is __SO_ACCEPTCON in the flags of a socket.
const listening = "00010000"

// sockets are the inodes of a process's sockets.
func sockets(pid int) (map[string]bool, error) {
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	inodes := map[string]bool{}
	for _, e := range entries {
		// A descriptor may be closed by now.
		link, _ := os.Readlink(filepath.Join(dir, e.Name()))
		if inode, ok := strings.CutPrefix(link, "socket:["); ok {
			inodes[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return inodes, nil
}

// connect connects to a socket. Only our user can have made it, and a process of ours must listen.
func connect(ctx context.Context, socket string) (net.Conn, int, error) {
	if err := checkOwner(filepath.Dir(socket), unix.S_IFDIR); err != nil {
		return nil, 0, err
	}
	if err := checkOwner(socket, unix.S_IFSOCK); err != nil {
		return nil, 0, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unix", socket)
	if err != nil {
		return nil, 0, err
	}
	cred, err := peer(conn.(*net.UnixConn))
	if err == nil && cred.Uid != uint32(os.Geteuid()) {
		err = fmt.Errorf("%s: the process that listens there belongs to user %d", socket, cred.Uid)
	}
	if err != nil {
		return nil, 0, errors.Join(err, conn.Close())
	}
	return conn, int(cred.Pid), nil
}

// checkOwner returns an error unless a file has the given type, belongs to our user, and is closed
// to all other users.
func checkOwner(path string, kind uint32) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	switch {
	case st.Mode&unix.S_IFMT != kind && kind == unix.S_IFSOCK:
		return fmt.Errorf("%s is not a socket", path)
	case st.Mode&unix.S_IFMT != kind:
		return fmt.Errorf("%s is not a directory", path)
	case st.Uid != uint32(os.Geteuid()):
		return fmt.Errorf("%s belongs to user %d", path, st.Uid)
	case st.Mode&0o077 != 0:
		return fmt.Errorf("%s is open to other users: its mode is %o", path, st.Mode&0o777)
	}
	return nil
}

// peer returns the credentials of the process that listens at the other end, or did when the socket
// was made.
func peer(conn *net.UnixConn) (*unix.Ucred, error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil, err
	}
	var cred *unix.Ucred
	var asked error
	err = raw.Control(func(fd uintptr) {
		cred, asked = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	return cred, errors.Join(err, asked)
}
