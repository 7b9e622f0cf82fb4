package goroot

import "github.com/antichain-go/antichain/internal/tracer/instrument/frontend"

// The two ends of a connection inside one process are ordered more precisely than by the race
// detector's single object for all I/O: operations before a write come before those after the read
// at the other end. Without this a server and its client in one test program would seem unrelated.
// The ends are matched by a key that both can compute: the addresses of a TCP connection, the
// identity of a pipe.
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
			name: "tcp keys", file: "net/fd_posix.go", in: "(*netFD).setAddr(fd, _, _)",
			reason: "sets the keys once the addresses are known",
			diff: `
				  $fd.laddr = $laddr
				  $fd.raddr = $raddr
				+ $fd.antichainKeys()
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

// AntichainConn says which keys the ends of a connection agree on.
func (fd *FD) AntichainConn(in, out uintptr) { fd.antichainIn, fd.antichainOut = in, out }

// AntichainPipe says that r reads what w writes.
func AntichainPipe(r, w *FD) {
	key := uintptr(unsafe.Pointer(r))
	r.antichainIn, w.antichainOut = key, key
}
`,
	"net/antichain.go": `package net

// antichainKeys gives the ends of a TCP connection the same keys.
func (fd *netFD) antichainKeys() {
	local, ok := fd.laddr.(*TCPAddr)
	if !ok || local == nil {
		return
	}
	if remote, ok := fd.raddr.(*TCPAddr); ok && remote != nil {
		fd.pfd.AntichainConn(antichainKey(remote, local), antichainKey(local, remote))
	}
}

// antichainKey is a hash (FNV-1a) of a direction. The highest bit keeps it apart from
// addresses of memory.
func antichainKey(from, to *TCPAddr) uintptr {
	h := uint64(14695981039346656037)
	for _, a := range [...]*TCPAddr{from, to} {
		for _, b := range a.IP.To16() {
			h = (h ^ uint64(b)) * 1099511628211
		}
		h = (h ^ uint64(a.Port)) * 1099511628211
	}
	return uintptr(h | 1<<63)
}
`,
}
