package goroot

// ioPatches give the two ends of a connection inside one process what the race
// detector's single object for all I/O gives too much of: what precedes a write comes
// before what follows the read at the other end. Without it a server and its client in
// one test program would seem unrelated. The ends are matched by a key that both can
// compute: the addresses of a TCP connection, the identity of a pipe.
var ioPatches = []patch{
	{
		name: "fd keys", file: "internal/poll/fd_unix.go",
		reason: "room for the keys",
		old:    "\t// Whether this is a file rather than a network socket.\n\tisFile bool\n",
		new:    "\t// Whether this is a file rather than a network socket.\n\tisFile bool\n\n\t// What is read from and written to, 0 if unknown.\n\tantichainIn, antichainOut uintptr\n",
	},
	{
		name: "fd read", file: "internal/poll/fd_mutex.go",
		reason: "every way to read ends here",
		old:    "func (fd *FD) readUnlock() {\n",
		new:    "func (fd *FD) readUnlock() {\n\tif fd.antichainIn != 0 {\n\t\trace.AcquireKey(fd.antichainIn)\n\t}\n",
	},
	{
		name: "fd write", file: "internal/poll/fd_mutex.go",
		reason: "every way to write begins here",
		old:    "func (fd *FD) writeLock() error {\n",
		new:    "func (fd *FD) writeLock() error {\n\tfd.antichainWrite()\n",
	},
	{
		name: "fd end of file", file: "internal/poll/fd_unix.go",
		reason: "the other end reads the end of the file",
		old:    "func (fd *FD) Close() error {\n",
		new:    "func (fd *FD) Close() error {\n\tfd.antichainWrite()\n",
	},
	{
		name: "fd shutdown", file: "internal/poll/fd_posix.go",
		reason: "see fd end of file",
		old:    "func (fd *FD) Shutdown(how int) error {\n",
		new:    "func (fd *FD) Shutdown(how int) error {\n\tfd.antichainWrite()\n",
	},
	{
		name: "tcp keys", file: "net/fd_posix.go",
		reason: "sets the keys once the addresses are known",
		old:    "\tfd.laddr = laddr\n\tfd.raddr = raddr\n",
		new:    "\tfd.laddr = laddr\n\tfd.raddr = raddr\n\tfd.antichainKeys()\n",
	},
	{
		name: "pipe keys", file: "os/pipe2_unix.go",
		reason: "sets the key of both ends",
		old:    "\treturn newFile(p[0], \"|0\", kindPipe, false), newFile(p[1], \"|1\", kindPipe, false), nil\n",
		new:    "\tr, w = newFile(p[0], \"|0\", kindPipe, false), newFile(p[1], \"|1\", kindPipe, false)\n\tpoll.AntichainPipe(&r.pfd, &w.pfd)\n\treturn r, w, nil\n",
	},
	{
		name: "signal imports", file: "os/signal/signal.go",
		reason: "used below",
		old:    "import (\n\t\"context\"\n\t\"os\"\n\t\"slices\"\n\t\"sync\"\n)",
		new:    "import (\n\t\"context\"\n\t\"internal/race\"\n\t\"os\"\n\t\"slices\"\n\t\"sync\"\n\t\"unsafe\"\n)",
	},
	{
		name: "signal notify", file: "os/signal/signal.go",
		reason: "what comes over the channel comes from outside",
		old:    "\th := handlers.m[c]\n\tif h == nil {\n\t\tif handlers.m == nil {\n",
		new:    "\trace.Outside(*(*unsafe.Pointer)(unsafe.Pointer(&c)), 0)\n\th := handlers.m[c]\n\tif h == nil {\n\t\tif handlers.m == nil {\n",
	},
	{
		name: "signal stop", file: "os/signal/signal.go",
		reason: "see signal notify",
		old:    "\tsignalWaitUntilIdle()\n\n\thandlers.Lock()\n",
		new:    "\tsignalWaitUntilIdle()\n\n\thandlers.Lock()\n\trace.Outside(*(*unsafe.Pointer)(unsafe.Pointer(&c)), 1)\n",
	},
	{
		name: "pipe imports", file: "os/pipe2_unix.go",
		reason: "used above",
		old:    "import \"syscall\"\n",
		new:    "import (\n\t\"internal/poll\"\n\t\"syscall\"\n)\n",
	},
}

// ioFiles are new files that the patches need.
var ioFiles = map[string]string{
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
