package goroot

// connectionFiles are new files that the patches of connections need.
var connectionFiles = map[string]string{
	"internal/poll/antichain.go": `package poll

import (
	"internal/race"
	"internal/runtime/atomic"
	"syscall"
	"unsafe"
)

// antichainEnd is the end of a connection or pipe that an FD is.
type antichainEnd struct {
	key uintptr // of the connection, 0 if there is none
	id  uintptr // which one of those with the key it is, 0 if unknown

	in, out       uintptr // the streams that are read and written: 0 or 1
	read, written uintptr // bytes

	shared                    bool // others may read, too
	hasRead, foundEnd, failed bool // by the current reader
}

// antichainRead notes what a system call has read. The caller has the lock for reading, but for
// Pread, which fails on a stream.
func (fd *FD) antichainRead(n int, err error) {
	e := &fd.antichain
	if e.key == 0 {
		return
	}
	errno, isErrno := err.(syscall.Errno)
	switch {
	case n > 0:
		e.read += uintptr(n)
		e.hasRead = true
	case err == nil:
		e.foundEnd = true
	case isErrno && errno != syscall.EAGAIN && errno != syscall.EINVAL && errno != syscall.ESPIPE:
		e.failed = true // as it does after the other end was closed
	}
}

// antichainReadUnlock is called before the lock for reading is given back.
//
//go:norace
func (fd *FD) antichainReadUnlock() {
	e := &fd.antichain
	if e.key == 0 || !(e.hasRead || e.foundEnd || e.failed || e.shared) {
		return
	}
	op, upTo := uintptr(race.OpStream), e.read
	if e.foundEnd {
		op = race.OpStreamEnd
	}
	if e.failed || e.shared {
		upTo = race.StreamAll
	}
	e.hasRead, e.foundEnd, e.failed = false, false, false
	race.ReadStream(e.key, e.id, e.what(op, e.in, upTo))
}

// AntichainShare notes that fd may be read from in other ways. Then it is unknown which bytes were
// read.
//
//go:norace
func (fd *FD) AntichainShare() { fd.antichain.shared = true }

// antichainWrite is called with the lock for writing, before anything is written.
func (fd *FD) antichainWrite() {
	if e := &fd.antichain; e.key != 0 {
		race.WriteStream(e.key, e.id, e.what(race.OpStream, e.out, e.written))
	}
}

// antichainWrote notes that n bytes have been written.
func (fd *FD) antichainWrote(n int) { fd.antichain.written += uintptr(n) }

// antichainWriteFailed is called with an error of a system call, or none.
func (fd *FD) antichainWriteFailed(err error) {
	if e := &fd.antichain; e.key != 0 && (err == syscall.EPIPE || err == syscall.ECONNRESET) {
		race.ReadStream(e.key, e.id, e.what(race.OpStream, e.in, race.StreamAll))
	}
}

// antichainClose is called before fd is closed.
func (fd *FD) antichainClose() {
	if e := &fd.antichain; e.key != 0 {
		race.WriteStream(e.key, e.id, e.what(race.OpStreamEnd, e.out, 1))
	}
}

// antichainShutdown is called before fd is closed in part. That nothing is read here any more, only
// failures at the other end show.
func (fd *FD) antichainShutdown(how int) {
	e := &fd.antichain
	switch {
	case e.key == 0:
	case how == syscall.SHUT_RD:
		race.WriteStream(e.key, e.id, e.what(race.OpStream, e.out, race.StreamAll-1))
	default:
		race.WriteStream(e.key, e.id, e.what(race.OpStreamEnd, e.out, 0))
	}
}

// what is the argument of a record.
func (e *antichainEnd) what(op, stream, position uintptr) uintptr {
	return op | stream<<race.OpShift | position<<race.StreamShift
}

// antichainDeadline is called before a deadline is set.
func (pd *pollDesc) antichainDeadline() { race.ReleaseMerge(unsafe.Pointer(pd)) }

// antichainTimeout is called with what has ended a wait, or keeps it from beginning.
func (pd *pollDesc) antichainTimeout(res int) {
	if res == pollErrTimeout {
		race.Acquire(unsafe.Pointer(pd))
	}
}

// AntichainSocket says which streams of the connection with a key fd reads and writes. Only streams
// hand out all bytes that were written.
func (fd *FD) AntichainSocket(key, in, out uintptr) {
	e := &fd.antichain
	e.in, e.out, e.shared = in, out, !fd.IsStream
	e.key = key
}

var antichainPipes uint64 // made so far

// AntichainPipe says that r reads what w writes.
func AntichainPipe(r, w *FD) {
	key, id := uintptr(unsafe.Pointer(r)), uintptr(atomic.Xadd64(&antichainPipes, 1))
	r.antichain = antichainEnd{key: key, id: id, in: 0, out: 1}
	w.antichain = antichainEnd{key: key, id: id, in: 1, out: 0}
}
`,
	"internal/poll/antichain_peer.go": `package poll

import (
	"internal/runtime/atomic"
	"syscall"
	"unsafe"
)

// Which of the connections with the same addresses is this one? The ends of a TCP connection agree
// on the number (cookie) of the socket that accept returns. The connecting end asks the kernel for
// it: as long as its own socket is open, no other one can have the addresses of the other end. The
// accepting end must not ask, since the other socket may be gone and its port used again. The ends
// of a Unix socket agree on the inode of the socket that has connected, for which the accepting end
// asks: the kernel keeps a pointer. 0 says that the kernel does not know, or does not say it.

// AntichainConnecting is called before fd connects. It returns what is to be called afterwards.
func (fd *FD) AntichainConnecting() func() {
	s := fd.Sysfd
	if antichainIsUnix(s) {
		fd.antichain.id = antichainInode(s)
		return func() {}
	}
	own := antichainCookie(s)
	slot := antichainEnter(own)
	if slot == nil {
		return func() {}
	}
	return func() {
		// If both ends connect, neither accepts. The first one to ask finds the other one here.
		if id := antichainTCPPeer(s); id == own || !antichainIsConnecting(id) {
			fd.antichain.id = uintptr(id)
		}
		atomic.Store64(slot, 0)
	}
}

// AntichainAccepted is called for a new connection.
func (fd *FD) AntichainAccepted() {
	if antichainIsUnix(fd.Sysfd) {
		fd.antichain.id = antichainUnixPeer(fd.Sysfd)
	} else {
		fd.antichain.id = uintptr(antichainCookie(fd.Sysfd))
	}
}

// antichainConnecting has the cookies of the sockets that are connecting.
var antichainConnecting [64]uint64

// antichainEnter notes that a socket is connecting, and returns where; nil if there is no room.
func antichainEnter(cookie uint64) *uint64 {
	for i := range antichainConnecting {
		if slot := &antichainConnecting[i]; cookie != 0 && atomic.Cas64(slot, 0, cookie) {
			return slot
		}
	}
	return nil
}

func antichainIsConnecting(cookie uint64) bool {
	for i := range antichainConnecting {
		if atomic.Load64(&antichainConnecting[i]) == cookie {
			return true
		}
	}
	return false
}

// Options of sockets that package syscall lacks.
const (
	antichainProtocol = 38
	antichainDomain   = 39
	antichainCookieOf = 57
	antichainNetwork  = 71
)

// antichainOption returns an option of a socket, 0 if it has none.
func antichainOption(socket int, option uintptr) (value uint64) {
	size := uint32(unsafe.Sizeof(value))
	if _, _, err := syscall.RawSyscall6(syscall.SYS_GETSOCKOPT, uintptr(socket), syscall.SOL_SOCKET, option,
		uintptr(unsafe.Pointer(&value)), uintptr(unsafe.Pointer(&size)), 0); err != 0 {
		return 0
	}
	return value
}

func antichainIsUnix(socket int) bool {
	return antichainOption(socket, antichainDomain) == syscall.AF_UNIX
}

// antichainCookie returns the number of a TCP socket, which no other one has while the machine
// runs. A socket of Multipath TCP has no such number: it has several connections.
func antichainCookie(socket int) uint64 {
	if antichainOption(socket, antichainProtocol) != syscall.IPPROTO_TCP {
		return 0
	}
	return antichainOption(socket, antichainCookieOf)
}

func antichainInode(socket int) uintptr {
	var stat syscall.Stat_t
	if syscall.Fstat(socket, &stat) != nil {
		return 0
	}
	return uintptr(stat.Ino)
}

// Messages of sock_diag(7): a header, and behind it a request or an answer.
const (
	antichainHeader        = 16
	antichainByFamily      = 20
	antichainShowPeer      = 4
	antichainPeerAttribute = 2
)

// antichainAsk asks the kernel about sockets of the network that socket is in. It returns the
// answer, nil if there is none.
func antichainAsk(socket int, request, buf []byte) []byte {
	s, _, err := syscall.RawSyscall(syscall.SYS_SOCKET, syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC,
		4)
	if err != 0 {
		return nil
	}
	defer syscall.RawSyscall(syscall.SYS_CLOSE, s, 0, 0)
	if network := antichainOption(int(s), antichainNetwork); network == 0 ||
		network != antichainOption(socket, antichainNetwork) {
		return nil
	}
	*(*uint32)(unsafe.Pointer(&request[0])) = uint32(len(request))
	*(*uint16)(unsafe.Pointer(&request[4])) = antichainByFamily
	*(*uint16)(unsafe.Pointer(&request[6])) = 1 // a request
	if _, _, err := syscall.RawSyscall6(syscall.SYS_SENDTO, s, uintptr(unsafe.Pointer(&request[0])),
		uintptr(len(request)), 0, 0, 0); err != 0 {
		return nil
	}
	n, _, err := syscall.RawSyscall6(syscall.SYS_RECVFROM, s, uintptr(unsafe.Pointer(&buf[0])), uintptr(len(buf)),
		syscall.MSG_DONTWAIT, 0, 0)
	if err != 0 || n < antichainHeader || *(*uint16)(unsafe.Pointer(&buf[4])) != antichainByFamily {
		return nil
	}
	return buf[antichainHeader:n]
}

// antichainTCPPeer returns the number of the socket at the other end, 0 if this machine has none.
func antichainTCPPeer(socket int) uint64 {
	local, _ := syscall.Getsockname(socket)
	remote, err := syscall.Getpeername(socket)
	if err != nil {
		return 0
	}
	var message [antichainHeader + 56]byte
	request := message[antichainHeader:]
	request[1] = syscall.IPPROTO_TCP
	*(*uint32)(unsafe.Pointer(&request[4])) = ^uint32(0) // in any state
	ports, source, target := request[8:12], request[12:28], request[28:44]
	if !antichainPut(&request[0], remote, ports[:2], source) || !antichainPut(&request[0], local, ports[2:], target) {
		return 0
	}
	*(*uint64)(unsafe.Pointer(&request[48])) = ^uint64(0) // with any number
	var buf [1024]byte
	answer := antichainAsk(socket, message[:], buf[:])
	if len(answer) < 52 || string(answer[4:8]) != string(ports) {
		return 0
	}
	switch answer[1] {
	case 1, 3, 4, 5, 8, 9, 11: // all in which it has been, or will be, accepted
		return uint64(*(*uint32)(unsafe.Pointer(&answer[44]))) | uint64(*(*uint32)(unsafe.Pointer(&answer[48])))<<32
	}
	return 0
}

// antichainPut writes an address into a request.
func antichainPut(family *byte, a syscall.Sockaddr, port, to []byte) bool {
	n := 0
	switch a := a.(type) {
	case *syscall.SockaddrInet4:
		*family, n = syscall.AF_INET, a.Port
		copy(to, a.Addr[:])
	case *syscall.SockaddrInet6:
		n = a.Port
		if string(a.Addr[:12]) == "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff" {
			*family = syscall.AF_INET
			copy(to, a.Addr[12:])
		} else {
			*family = syscall.AF_INET6
			copy(to, a.Addr[:])
		}
	default:
		return false
	}
	port[0], port[1] = byte(n>>8), byte(n)
	return true
}

// antichainUnixPeer returns the inode of the socket at the other end, 0 if that is closed.
func antichainUnixPeer(socket int) uintptr {
	var message [antichainHeader + 24]byte
	request := message[antichainHeader:]
	request[0] = syscall.AF_UNIX
	*(*uint32)(unsafe.Pointer(&request[4])) = ^uint32(0)
	*(*uint32)(unsafe.Pointer(&request[8])) = uint32(antichainInode(socket))
	*(*uint32)(unsafe.Pointer(&request[12])) = antichainShowPeer
	*(*uint64)(unsafe.Pointer(&request[16])) = ^uint64(0)
	var buf [1024]byte
	answer := antichainAsk(socket, message[:], buf[:])
	for at := 16; at+8 <= len(answer); {
		size := int(*(*uint16)(unsafe.Pointer(&answer[at])))
		if *(*uint16)(unsafe.Pointer(&answer[at+2])) == antichainPeerAttribute {
			return uintptr(*(*uint32)(unsafe.Pointer(&answer[at+4])))
		}
		at += max(4, (size+3)&^3)
	}
	return 0
}
`,
	"net/antichain.go": `package net

import (
	"internal/race"
	"syscall"
)

// antichainKeys gives the ends of a connection the same key. Stream 0 is what the end with the
// lower address writes.
func (fd *netFD) antichainKeys() {
	local, remote := antichainAddress(fd.laddr), antichainAddress(fd.raddr)
	if fd.sotype == syscall.SOCK_DGRAM || local == 0 || remote == 0 {
		return
	}
	var in, out uintptr
	switch { // a socket that is connected with itself reads what it writes
	case local < remote:
		in = 1
	case local > remote:
		out = 1
	}
	fd.pfd.AntichainSocket(antichainKey(min(local, remote), max(local, remote)), in, out)
}

// antichainListen is called before a socket listens.
func (fd *netFD) antichainListen() {
	at, _ := syscall.Getsockname(fd.pfd.Sysfd)
	if key := antichainListener(at, antichainListens); key != 0 {
		race.ReleaseMergeKey(key)
	}
}

// antichainConnect is called before a socket connects to an address. It returns what is to be
// called afterwards.
func (fd *netFD) antichainConnect(to syscall.Sockaddr) func() {
	if fd.sotype == syscall.SOCK_DGRAM {
		return func() {}
	}
	if key := antichainListener(to, antichainConnects); key != 0 {
		race.ReleaseMergeKey(key)
	}
	connected := fd.pfd.AntichainConnecting()
	return func() {
		connected()
		if _, err := syscall.Getpeername(fd.pfd.Sysfd); err != nil {
			return
		}
		if key := antichainListener(to, antichainListens); key != 0 {
			race.AcquireKey(key)
		}
	}
}

// antichainAccept is called when a connection to an address was accepted.
func (fd *netFD) antichainAccept(to syscall.Sockaddr) {
	if key := antichainListener(to, antichainConnects); key != 0 {
		race.AcquireKey(key)
	}
	fd.pfd.AntichainAccepted()
}

// Connects and listens have keys of their own.
const (
	antichainConnects = antichainBasis
	antichainListens  = antichainBasis + 1
)

// antichainListener is the key of what listens at an address, 0 if it has none. That of a port
// is the same for all addresses of the machine, since a listener may listen at all of them. That of
// a Unix socket is the last part of its path, which may be given in several ways.
func antichainListener(sa syscall.Sockaddr, what uint64) uintptr {
	switch sa := sa.(type) {
	case *syscall.SockaddrInet4:
		return antichainKey(what, uint64(sa.Port))
	case *syscall.SockaddrInet6:
		return antichainKey(what, uint64(sa.Port))
	case *syscall.SockaddrUnix:
		last := len(sa.Name)
		for last > 0 && sa.Name[last-1] != '/' {
			last--
		}
		return antichainKey(what, antichainHash(antichainBasis, sa.Name[last:]))
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

// antichainKey is a hash of two numbers. The highest bit keeps it apart from addresses of memory.
func antichainKey(a, b uint64) uintptr {
	h := uint64(antichainBasis)
	for _, x := range [...]uint64{a, b} {
		h = (h ^ x) * antichainPrime
		h ^= h >> 32
	}
	return uintptr(h | 1<<63)
}
`,
}
