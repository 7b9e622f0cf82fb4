//go:build antichain_traced

package runtime

import (
	"internal/runtime/atomic"
	"internal/runtime/syscall/linux"
	"unsafe"
)

// The socket on which a checker talks to the operator (package internal/tracer/control has the
// protocol). It lies beside the ring, in a directory that only our user can enter. The checker has
// made the directory. But if the program waits for a checker, the program makes it, and the checker
// puts a ring there.

// antichainTraceWait is the value of antichainEnvTrace for a program that is to wait.
const antichainTraceWait = "wait"

// Names in the directory.
const (
	antichainSocketName = "/control"
	antichainRingName   = "/ring"
	// locked as long as the program lives; see package internal/tracer/launch
	antichainOwnerName = "/owner"
)

// antichainListener is the socket, negative if there is none.
var antichainListener int32 = -1

// antichainControlFD returns the listening socket to the operator.
//
//go:linkname antichainControlFD
func antichainControlFD() int32 { return antichainListener }

// antichainPath is a path for system calls, with a final zero.
type antichainPath struct {
	buf [antichainPathMax]byte
	n   int
}

func (p *antichainPath) set(parts ...string) bool {
	p.n = 0
	for _, s := range parts {
		if p.n+len(s) >= len(p.buf) {
			return false
		}
		p.n += copy(p.buf[p.n:], s)
	}
	p.buf[p.n] = 0
	return true
}

func (p *antichainPath) ptr() uintptr { return uintptr(unsafe.Pointer(&p.buf)) }

// text is valid until p changes.
func (p *antichainPath) text() string { return unsafe.String(&p.buf[0], p.n) }

// antichainListen makes the socket in dir. If that fails, the program runs without one, which the
// checker notices.
func antichainListen(dir string) bool {
	if antichainListener >= 0 {
		return true
	}
	var path antichainPath
	var addr struct {
		family uint16
		path   [108]byte
	}
	if !path.set(dir, antichainSocketName) || path.n >= len(addr.path) {
		return false
	}
	addr.family = antichainUnix
	copy(addr.path[:], path.buf[:path.n])
	fd, errno := antichainSyscall(antichainSysSocket, antichainUnix, antichainSockFlags, 0, 0)
	if errno != 0 {
		return false
	}
	// The mode of the socket is that of its file from the first moment.
	_, errno = antichainSyscall(antichainSysFchmod, fd, 0o600, 0, 0)
	if errno == 0 {
		_, errno = antichainSyscall(antichainSysBind, fd, uintptr(unsafe.Pointer(&addr)), uintptr(2+path.n+1), 0)
	}
	if errno == 0 {
		_, errno = antichainSyscall(antichainSysListen, fd, 8, 0, 0)
	}
	if errno != 0 {
		closefd(int32(fd))
		return false
	}
	antichainListener = int32(fd)
	return true
}

// antichainListenBeside makes the socket in the directory of the ring at path, if the
// ring's maker wants one.
func antichainListenBeside(path string) {
	if atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagControl == 0 {
		return
	}
	for i := len(path) - 1; i > 0; i-- {
		if path[i] == '/' {
			antichainListen(path[:i])
			return
		}
	}
}

// antichainDeaf reports whether interrupts from the terminal are meant for the consumer alone.
//
//go:nosplit
func antichainDeaf() bool {
	return antichainOn == antichainWriting && atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagInterrupts != 0
}

// antichainIgnoresQuit reports whether to ignore a signal that the program does not handle: a
// SIGQUIT from the terminal that is meant for the consumer alone.
//
//go:nosplit
//go:nowritebarrierrec
func antichainIgnoresQuit(sig uint32, info *siginfo) bool {
	return sig == _SIGQUIT && antichainOn == antichainWriting &&
		atomic.Load(antichainWord32(antichainOffFlags))&antichainFlagQuits != 0 &&
		!(&sigctxt{info, nil}).sigFromUser()
}

// antichainAwaitChecker waits until a checker has put a ring beside the socket.
func antichainAwaitChecker() {
	var dir, ring antichainPath
	if !antichainOwnDir(&dir) {
		antichainSay("antichain: not traced: no directory for a socket to wait at; set TMPDIR to a short one that can be written to\n")
		return
	}
	ring.set(dir.text(), antichainRingName)
	antichainSayWaiting(dir.text())
	for antichainOn == antichainOff {
		antichainAttach(ring.text())
		usleep(5000)
	}
	antichainParent = 0 // the checker is not our parent
}

func antichainSayWaiting(dir string) {
	var digits [20]byte
	var text antichainPath
	pid := string(itoa(digits[:], uint64(getpid())))
	text.set("antichain: process ", pid, " waits for a checker at ", dir, antichainSocketName, "\n")
	antichainSay(text.text())
}

// antichainOwnDir makes a directory with a socket in it.
func antichainOwnDir(dir *antichainPath) bool {
	for _, base := range [...]string{gogetenv("XDG_RUNTIME_DIR"), gogetenv("TMPDIR"), "/tmp"} {
		if base == "" || base[0] != '/' {
			continue
		}
		var name [20]byte
		for i := range name {
			name[i] = "abcdefghijklmnopqrstuvwxyz234567"[rand()%32]
		}
		if !dir.set(base, "/antichain-", string(name[:])) {
			continue
		}
		if _, errno := antichainSyscall(antichainSysMkdirat, antichainAtFdcwd, dir.ptr(), 0o700, 0); errno != 0 {
			continue
		}
		if antichainOwn(dir.text()) && antichainListen(dir.text()) {
			return true
		}
	}
	return false
}

// antichainOwn makes the owner file. The file is locked before it appears under its name: no other
// process takes a new directory for that of a dead program.
func antichainOwn(dir string) bool {
	var temp, name antichainPath
	if !temp.set(dir, antichainOwnerName, ".new") || !name.set(dir, antichainOwnerName) {
		return false
	}
	fd := antichainOpen(temp.text(), antichainOpenRDWR|antichainOpenCreate|antichainOpenExcl|antichainOpenNoFollow|antichainOpenCloexec)
	if fd < 0 {
		return false
	}
	_, errno := antichainSyscall(antichainSysFlock, uintptr(fd), antichainLockEx|antichainLockNb, 0, 0)
	if errno == 0 {
		_, errno = antichainSyscall(antichainSysRenameat, antichainAtFdcwd, temp.ptr(), antichainAtFdcwd, name.ptr())
	}
	if errno != 0 {
		closefd(fd)
	}
	return errno == 0
}

// antichainSyscall is a system call of at most four arguments.
//
//go:nosplit
func antichainSyscall(number, a, b, c, d uintptr) (result, errno uintptr) {
	result, _, errno = linux.Syscall6(number, a, b, c, d, 0, 0)
	return result, errno
}
