package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The two ends of a connection inside one process are ordered more precisely than by the race
// detector's single object for all I/O: operations before a write come before those after the read
// at the other end. Without this a server and its client in one test program would seem unrelated.
// The ends are matched by a key that both can compute: the addresses of a TCP connection or of a
// Unix socket, the identity of a pipe. The clients of one Unix socket mostly have no addresses of
// their own, and share a key: that is more order than there is, and never less.
var connections = capability{
	name: frontend.Connections, gives: "the two ends of a connection or pipe",
	order: true, properties: ofAll,
	files: connectionFiles,
	patches: []patch{
		{
			name: "fd keys", file: "internal/poll/fd_unix.go", in: "type FD",
			reason: "what is read from and written to, 0 if unknown",
			diff: `
				  isFile bool
				+ antichainIn, antichainOut uintptr
			`,
		},
		{
			name: "fd read", file: "internal/poll/fd_mutex.go", in: "(*FD).readUnlock(fd)",
			reason:  "every way to read ends here",
			entry:   "if $fd.antichainIn != 0 {\n\trace.AcquireKey($fd.antichainIn)\n}",
			imports: []string{"internal/race"},
		},
		{
			name: "fd write", file: "internal/poll/fd_mutex.go", in: "(*FD).writeLock(fd)",
			reason: "every way to write begins here",
			entry:  "$fd.antichainWrite()",
		},
		{
			name: "fd end of file", file: "internal/poll/fd_unix.go", in: "(*FD).Close(fd)",
			reason: "the other end reads the end of the file",
			entry:  "$fd.antichainWrite()",
		},
		{
			name: "fd shutdown", file: "internal/poll/fd_posix.go", in: "(*FD).Shutdown(fd, _)",
			reason: "see fd end of file",
			entry:  "$fd.antichainWrite()",
		},
		{
			name: "socket keys", file: "net/fd_posix.go", in: "(*netFD).setAddr(fd, _, _)",
			reason: "sets the keys once the addresses are known",
			diff: `
				  $fd.laddr = $laddr
				  $fd.raddr = $raddr
				+ $fd.antichainKeys()
			`,
		},
		{
			name: "connect", file: "net/fd_unix.go", in: "(*netFD).connect(_, _, _, ra)",
			reason: "comes before the accept at the other end",
			entry:  "antichainConnect($ra)",
		},
		{
			name: "accept", file: "net/fd_unix.go", in: "(*netFD).accept(_)",
			reason: "see connect",
			diff: `
				+ antichainAccept($lsa)
				  $netfd.setAddr($netfd.addrFunc()($lsa), $netfd.addrFunc()($rsa))
			`,
		},
		{
			name: "deadline", file: "internal/poll/fd_poll_runtime.go", in: "setDeadlineImpl(fd, _, _)",
			reason: "another goroutine may set it to end a read or write",
			entry:  "$fd.pd.antichainDeadline()",
		},
		{
			name: "deadline before a wait", file: "internal/poll/fd_poll_runtime.go",
			in:     "(*pollDesc).prepare(pd, _, _)",
			reason: "a read or write that it ends comes after it",
			diff: `
				  $res := runtime_pollReset($pd.runtimeCtx, $mode)
				+ $pd.antichainTimeout($res)
			`,
		},
		{
			name: "deadline in a wait", file: "internal/poll/fd_poll_runtime.go", in: "(*pollDesc).wait(pd, _, _)",
			reason: "see deadline before a wait",
			diff: `
				  $res := runtime_pollWait($pd.runtimeCtx, $mode)
				+ $pd.antichainTimeout($res)
			`,
		},
		{
			name: "pipe keys", file: "os/pipe2_unix.go", in: "Pipe",
			reason: "sets the key of both ends",
			diff: `
				- return newFile($p[0], "|0", kindPipe, false), newFile($p[1], "|1", kindPipe, false), nil
				+ antichainR, antichainW := newFile($p[0], "|0", kindPipe, false), newFile($p[1], "|1", kindPipe, false)
				+ poll.AntichainPipe(&antichainR.pfd, &antichainW.pfd)
				+ return antichainR, antichainW, nil
			`,
			imports: []string{"internal/poll"},
		},
	},
}

// A file descriptor: readers exclude each other, so do writers, and an operation that finds it
// closed comes after Close.
var descriptors = capability{
	name: frontend.Descriptors, gives: "uses of a closed file or connection",
	order: true, properties: ofAll,
	patches: []patch{
		{
			name: "fd incref", file: "internal/poll/fd_mutex.go", in: "(*fdMutex).incref(mu)",
			reason: "a use that fails comes after Close",
			diff: `
				  if $old&mutexClosed != 0 {
				+ 	race.Acquire(unsafe.Pointer(&$mu.state))
				  	return false
				  }
			`,
			imports: []string{"internal/race", "unsafe"},
		},
		{
			name: "fd close", file: "internal/poll/fd_mutex.go", in: "(*fdMutex).increfAndClose(mu)",
			reason: "what comes before Close comes before every failing use",
			diff: `
				+ race.ReleaseMerge(unsafe.Pointer(&$mu.state))
				  if atomic.CompareAndSwapUint64(&$mu.state, $old, $new) {
			`,
		},
		{
			name: "fd rwlock on closed", file: "internal/poll/fd_mutex.go", in: "(*fdMutex).rwlock",
			reason: "see fd incref",
			diff: `
				  $old := atomic.LoadUint64(&$mu.state)
				  if $old&mutexClosed != 0 {
				+ 	race.Acquire(unsafe.Pointer(&$mu.state))
				  	return false
				  }
			`,
		},
		{
			name: "fd rwlock", file: "internal/poll/fd_mutex.go", in: "(*fdMutex).rwlock",
			reason: "a lock",
			diff: `
				  if $old&$mutexBit == 0 {
				+ 	race.Acquire(unsafe.Pointer($mutexSema))
				  	return true
				  }
				  runtime_Semacquire($mutexSema)
			`,
		},
		{
			name: "fd rwunlock", file: "internal/poll/fd_mutex.go", in: "(*fdMutex).rwunlock",
			reason: "an unlock; and a blocked read that a Close has ended comes after it",
			diff: `
				+ race.Release(unsafe.Pointer($mutexSema))
				  for {
				  	$old := atomic.LoadUint64(&$mu.state)
				+ 	if $old&mutexClosed != 0 {
				+ 		race.Acquire(unsafe.Pointer(&$mu.state))
				+ 	}
				  	if $old&$mutexBit == 0 || $old&mutexRefMask == 0 {
				  	...
				  	}
				  	...
				  	if atomic.CompareAndSwapUint64(&$mu.state, $old, $new) {
				  		if $old&$mutexMask != 0 {
				  			runtime_Semrelease($mutexSema)
			`,
		},
	},
}

var signals = capability{
	name: frontend.Signals, gives: "channels over which signals come",
	properties: ofWaits,
	patches: []patch{
		{
			name: "signal notify", file: "os/signal/signal.go", in: "Notify(c, _)",
			reason: "what comes over the channel comes from outside",
			diff: `
				  handlers.Lock()
				+ race.Outside(*(*unsafe.Pointer)(unsafe.Pointer(&$c)), 0)
			`,
			imports: []string{"internal/race", "unsafe"},
		},
		{
			name: "signal stop", file: "os/signal/signal.go", in: "Stop(c)",
			reason: "see signal notify",
			diff: `
				  signalWaitUntilIdle()
				  handlers.Lock()
				+ race.Outside(*(*unsafe.Pointer)(unsafe.Pointer(&$c)), 1)
			`,
		},
	},
}

// connectionFiles are new files that the patches need.
var connectionFiles = map[string]string{
	"internal/poll/antichain.go": `package poll

import (
	"internal/race"
	"unsafe"
)

// antichainWrite is called before something is written to fd.
func (fd *FD) antichainWrite() {
	if fd.antichainOut != 0 {
		race.ReleaseMergeKey(fd.antichainOut)
	}
}

// antichainDeadline is called before a deadline is set.
func (pd *pollDesc) antichainDeadline() { race.ReleaseMerge(unsafe.Pointer(pd)) }

// antichainTimeout is called with what has ended a wait, or keeps it from beginning.
func (pd *pollDesc) antichainTimeout(res int) {
	if res == pollErrTimeout {
		race.Acquire(unsafe.Pointer(pd))
	}
}

// AntichainConn says which keys the ends of a connection agree on.
func (fd *FD) AntichainConn(in, out uintptr) { fd.antichainIn, fd.antichainOut = in, out }

// AntichainPipe says that r reads what w writes.
func AntichainPipe(r, w *FD) {
	key := uintptr(unsafe.Pointer(r))
	r.antichainIn, w.antichainOut = key, key
}
`,
	"net/antichain.go": `package net

import (
	"internal/race"
	"syscall"
)

// antichainKeys gives the ends of a connection the same keys.
func (fd *netFD) antichainKeys() {
	local, remote := antichainAddress(fd.laddr), antichainAddress(fd.raddr)
	if fd.sotype != syscall.SOCK_DGRAM && local != 0 && remote != 0 {
		fd.pfd.AntichainConn(antichainKey(remote, local), antichainKey(local, remote))
	}
}

// antichainConnect is called before a socket connects to an address.
func antichainConnect(to syscall.Sockaddr) {
	if key := antichainListener(to); key != 0 {
		race.ReleaseMergeKey(key)
	}
}

// antichainAccept is called when a connection to an address was accepted.
func antichainAccept(to syscall.Sockaddr) {
	if key := antichainListener(to); key != 0 {
		race.AcquireKey(key)
	}
}

// antichainListener is the key of what listens at an address, 0 if it has none. That of a port
// is the same for all addresses of the machine, since a listener may listen at all of them.
func antichainListener(sa syscall.Sockaddr) uintptr {
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return antichainKey(antichainBasis, uint64(sa.Port))
	case *syscall.SockaddrInet6:
		return antichainKey(antichainBasis, uint64(sa.Port))
	case *syscall.SockaddrUnix:
		return antichainKey(antichainBasis, antichainHash(antichainBasis, sa.Name))
	}
	return 0
}

// Hashes are those of Fowler, Noll and Vo (FNV-1a).
const (
	antichainBasis = 14695981039346656037
	antichainPrime = 1099511628211
)

// antichainAddress is a hash of the address of an end, 0 if it has none.
func antichainAddress(a Addr) uint64 {
	switch a := a.(type) {
	case *TCPAddr:
		if a != nil {
			return antichainHash(antichainBasis^uint64(a.Port), string(a.IP.To16()))
		}
	case *UnixAddr:
		if a != nil {
			return antichainHash(antichainBasis, a.Name)
		}
	}
	return 0
}

func antichainHash(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * antichainPrime
	}
	return h
}

// antichainKey is a hash of a direction. The highest bit keeps it apart from addresses of memory.
func antichainKey(from, to uint64) uintptr {
	h := uint64(antichainBasis)
	for _, a := range [...]uint64{from, to} {
		h = (h ^ a) * antichainPrime
		h ^= h >> 32
	}
	return uintptr(h | 1<<63)
}
`,
}
