package goroot

import (
	"slices"

	"github.com/antichain-go/antichain/internal/tracer/instrument/frontend"
)

// The two ends of a connection inside one process are ordered more precisely than by the race
// detector's single object for all I/O: a read comes after the writes of the bytes that it has
// read, and the end of the file after the close. Without this a server and its client in one test
// program would seem unrelated. The ends have a key in common: the addresses of a TCP connection or
// of a Unix socket, the identity of a pipe. The kernel says which of the connections with a key it
// is (see capabilities_peers.go), and each end counts its bytes. Where either is unknown, a read
// comes after all writes that have begun: that is more order than there is, and never less.
//
// A way to write that is not counted only adds order. One to read that is not counted loses some:
// TestReadsAreCounted knows all of them.
var connections = capability{
	name: frontend.Connections, gives: "the two ends of a connection or pipe",
	order: true, properties: ofAll,
	files:   connectionFiles,
	patches: slices.Concat(countedReads, countedWrites, endsOfConnections, deadlines),
}

// countedReads say which bytes have been read.
var countedReads = []patch{
	{
		name: "fd end", file: "internal/poll/fd_unix.go", in: "type FD",
		reason: "which end of a connection it is",
		diff: `
			  isFile bool
			+ antichain antichainEnd
		`,
	},
	{
		name: "fd read", file: "internal/poll/fd_mutex.go", in: "(*FD).readUnlock(fd)",
		reason: "every way to read ends here",
		entry:  "$fd.antichainReadUnlock()",
	},
	{
		name: "fd count read", file: "internal/poll/fd_posix.go", in: "(*FD).eofError(fd, n, err)",
		reason: "most ways to read call it with their outcome",
		entry:  "$fd.antichainRead($n, $err)",
	},
	{
		name: "fd splice read", file: "internal/poll/splice_linux.go", in: "spliceDrain(_, sock, _)",
		reason: "this one does not",
		diff: `
			  if $err != syscall.EAGAIN {
			+ 	$sock.antichainRead($n, $err)
			  	return $n, $err
			  }
		`,
	},
	{
		name: "fd raw read", file: "internal/poll/fd_unix.go", in: "(*FD).RawRead(fd, _)",
		reason: "the program reads, and what it has read is unknown",
		entry:  "$fd.AntichainShare()",
	},
	{
		name: "fd raw control", file: "internal/poll/fd_posix.go", in: "(*FD).RawControl(fd, _)",
		reason: "see fd raw read",
		entry:  "$fd.AntichainShare()",
	},
	{
		name: "fd dup", file: "internal/poll/fd_unix.go", in: "(*FD).Dup(fd)",
		reason: "see fd raw read",
		entry:  "$fd.AntichainShare()",
	},
	{
		name: "file descriptor", file: "os/file_unix.go", in: "(*File).fd(f)",
		reason: "see fd raw read; a child may read, too",
		diff: `
			+ $f.pfd.AntichainShare()
			  return uintptr($f.pfd.Sysfd)
		`,
	},
}

// countedWrites say which bytes are about to be written. Each write has the lock for writing.
var countedWrites = []patch{
	{
		name: "fd write", file: "internal/poll/fd_mutex.go", in: "(*FD).writeLock(fd)",
		reason: "every way to write begins here",
		diff: `
			  return errClosing($fd.isFile)
			  }
			+ $fd.antichainWrite()
			  return nil
		`,
	},
	{
		name: "fd count write", file: "internal/poll/fd_unix.go", in: "(*FD).Write(fd, _)",
		reason: "where the next write begins",
		diff: `
			  $nn += $n
			+ $fd.antichainWrote($n)
		`,
	},
	{
		name: "fd failed write", file: "internal/poll/fd_unix.go", in: "(*FD).Write(fd, _)",
		reason: "a write fails after the other end was closed",
		diff: `
			  if $err != nil {
			+ 	$fd.antichainWriteFailed($err)
			  	return $nn, $err
			  }
		`,
	},
	{
		name: "fd count message", file: "internal/poll/fd_unix.go", in: "(*FD).WriteMsg(fd, _, oob, _)",
		reason: "see fd count write",
		diff: `
			  if $err != nil {
			+ 	$fd.antichainWriteFailed($err)
			  	return $n, 0, $err
			  }
			+ $fd.antichainWrote($n)
			  return $n, len($oob), $err
		`,
	},
	{
		name: "fd count vector", file: "internal/poll/writev.go", in: "(*FD).Writev(fd, _)",
		reason: "see fd count write",
		diff: `
			  $wrote, $err = writev($fd.Sysfd, $iovecs)
			  ...
			  $n += int64($wrote)
			+ $fd.antichainWrote(int($wrote))
			+ $fd.antichainWriteFailed($err)
		`,
	},
	{
		name: "fd count file", file: "internal/poll/sendfile_unix.go", in: "sendFile(fd, src, offset, _)",
		reason: "see fd count write",
		diff: `
			  $n, $err = sendFileChunk($dst, $src, $offset, $chunk, $written)
			  if $n > 0 {
			  	$written += int64($n)
			+ 	$fd.antichainWrote($n)
			  }
			+ $fd.antichainWriteFailed($err)
		`,
	},
	{
		name: "fd count splice", file: "internal/poll/splice_linux.go", in: "splicePump(fd, pipefd, inPipe)",
		reason: "see fd count write",
		diff: `
			  $n, $err := splice($fd.Sysfd, $pipefd, $inPipe, spliceNonblock)
			  ...
			  if $n > 0 {
			  	$inPipe -= $n
			  	$written += $n
			+ 	$fd.antichainWrote($n)
			  	continue
			  }
			+ $fd.antichainWriteFailed($err)
		`,
	},
	{
		name: "fd end of file", file: "internal/poll/fd_unix.go", in: "(*FD).Close(fd)",
		reason: "the other end reads the end of the file",
		diff: `
			  if !$fd.fdmu.increfAndClose() {
			  	return errClosing($fd.isFile)
			  }
			+ $fd.antichainClose()
		`,
	},
	{
		name: "fd shutdown", file: "internal/poll/fd_posix.go", in: "(*FD).Shutdown(fd, how)",
		reason: "see fd end of file",
		entry:  "$fd.antichainShutdown($how)",
	},
}

// endsOfConnections say which ends belong together.
var endsOfConnections = []patch{
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
		name: "listen", file: "net/sock_posix.go", in: "(*netFD).listenStream(fd, _, _, _, _)",
		reason: "comes before a connect that succeeds",
		diff: `
			+ $fd.antichainListen()
			  if $err = listenFunc($fd.pfd.Sysfd, $backlog); $err != nil {
		`,
	},
	{
		name: "connect", file: "net/fd_unix.go", in: "(*netFD).connect(fd, _, _, ra)",
		reason: "comes before the accept at the other end",
		entry:  "defer $fd.antichainConnect($ra)()",
	},
	{
		name: "accept", file: "net/fd_unix.go", in: "(*netFD).accept(_)",
		reason: "see connect",
		diff: `
			+ $netfd.antichainAccept($lsa)
			  $netfd.setAddr($netfd.addrFunc()($lsa), $netfd.addrFunc()($rsa))
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
}

// A read or write that a deadline has ended comes after the call that set it.
var deadlines = []patch{
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
