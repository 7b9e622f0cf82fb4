//go:build unix

package stream

import "syscall"

// ownOnly keeps other users away from a Unix socket from its first moment on, where the system
// adopts these permissions (Linux). On other systems open sets them a moment later.
func ownOnly(_, _ string, socket syscall.RawConn) error {
	return socket.Control(func(fd uintptr) { _ = syscall.Fchmod(int(fd), 0o600) })
}
