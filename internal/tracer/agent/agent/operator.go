//go:build antichain_traced

package agent

import (
	"runtime"
	"strings"
	"syscall"
	"unsafe"
)

// The operator is the part of the program that a checker talks to: a goroutine that is neither
// traced nor halted. It serves one checker at a time, and trusts no peer: it disconnects a peer of
// another user, one that sends an invalid message or stops in the middle of one. Whatever happens
// to the connection, the program continues.
//
// While the program is halted, its goroutines may own any lock of the standard library. So the
// operator uses none: raw system calls, no package net, no timers, no fmt.

// task has the layout of runtime.antichainTask.
type task struct {
	ctx    uint64
	state  uint8
	reason string
	n      int
	pcs    [32]uintptr
}

// Patience with a peer, in milliseconds.
const (
	helloTimeout = 2000 // for the first message
	restTimeout  = 5000 // for the rest of a message that has begun, and for room for a reply
	lostTimeout  = 2500 // for a sign of life of a consumer whose connection has ended
)

// serve accepts checkers until one has detached or died.
func serve(listener int) {
	defer syscall.Close(listener)
	for {
		await(int32(listener), false, -1)
		fd, _, err := syscall.Accept4(listener, syscall.SOCK_CLOEXEC|syscall.SOCK_NONBLOCK)
		switch err {
		case nil:
		case syscall.EBADF, syscall.EINVAL, syscall.ENOTSOCK:
			return // the program has closed a descriptor that it did not open
		default:
			await(-1, false, 100) // out of descriptors, for instance
			continue
		}
		s := session{fd: int32(fd)}
		ended := sameUser(fd) && s.serve()
		syscall.Close(fd)
		if ended {
			return
		}
	}
}

// sameUser reports whether the peer of a connection runs for our user.
func sameUser(fd int) bool {
	cred, err := syscall.GetsockoptUcred(fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	return err == nil && cred.Uid == uint32(syscall.Geteuid())
}

// session is one connection.
type session struct {
	fd       int32
	halted   bool
	resuming bool // after the reply: the program may then end itself
	detached bool
	in       []byte // the request
	out      message
}

// serve answers requests. It reports whether the trace has ended.
func (s *session) serve() (ended bool) {
	s.in = make([]byte, 4, 1024)
	if !s.receive(helloTimeout) || !s.hello() || !s.reply() {
		return false
	}
	for !s.detached && s.receive(-1) {
		s.answer()
		if !s.reply() {
			break
		}
		if s.resuming {
			s.resume()
		}
	}
	if !s.detached {
		setOrphan(1) // a program that resumes may end at once
		defer setOrphan(0)
	}
	s.resume() // the word of the header may be set even if the program is not halted
	if !s.detached && !consumerAlive() {
		On = false
		consumerLost()
		return true
	}
	return s.detached
}

// consumerAlive reports whether the consumer of the ring lives on without the connection.
func consumerAlive() bool {
	beat := consumerBeat()
	for range lostTimeout / 100 {
		await(-1, false, 100)
		if consumerBeat() != beat {
			return true
		}
	}
	return false
}

// receive reads a message into s.in, without its length.
func (s *session) receive(timeout int64) bool {
	s.in = s.in[:4]
	if !s.fill(s.in[:1], timeout) || !s.fill(s.in[1:4], restTimeout) {
		return false
	}
	n := int(s.in[0]) | int(s.in[1])<<8 | int(s.in[2])<<16 | int(s.in[3])<<24
	if n == 0 || n > ringControlMaxRequest {
		return false
	}
	if n > cap(s.in) {
		s.in = make([]byte, n)
	}
	s.in = s.in[:n]
	return s.fill(s.in, restTimeout)
}

// fill reads all of b, and waits no longer than timeout for each part of it.
func (s *session) fill(b []byte, timeout int64) bool {
	for len(b) > 0 {
		n, _, errno := syscall.RawSyscall(syscall.SYS_READ, uintptr(s.fd), uintptr(unsafe.Pointer(&b[0])),
			uintptr(len(b)))
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EAGAIN:
			if !await(s.fd, false, timeout) && timeout >= 0 {
				return false
			}
		case errno != 0 || n == 0:
			return false
		default:
			b = b[n:]
			timeout = restTimeout
		}
	}
	return true
}

// reply sends s.out.
func (s *session) reply() bool {
	b := s.out.finish()
	for len(b) > 0 {
		n, _, errno := syscall.RawSyscall6(syscall.SYS_SENDTO, uintptr(s.fd), uintptr(unsafe.Pointer(&b[0])),
			uintptr(len(b)), syscall.MSG_NOSIGNAL, 0, 0)
		switch {
		case errno == syscall.EINTR:
		case errno == syscall.EAGAIN:
			if !await(s.fd, true, restTimeout) {
				return false
			}
		case errno != 0:
			return false
		default:
			b = b[n:]
		}
	}
	return true
}

// hello answers the first message, and reports whether it was the right one.
func (s *session) hello() bool {
	r := reader{b: s.in}
	if r.byte() != ringAskHello || r.uvarint() != ringControlVersion || !r.done() {
		return false
	}
	s.out.begin(ringAnswerHello)
	s.out.uvarint(ringControlVersion)
	s.out.uvarint(uint64(syscall.Getpid()))
	return true
}

// answer carries out the request in s.in.
func (s *session) answer() {
	r := reader{b: s.in}
	switch ask := r.byte(); {
	case ask == ringAskHalt && r.done():
		s.halt()
	case ask == ringAskResume && r.done():
		// even if the checker has set the word of the header and not sent a request
		s.resuming = true
		s.out.begin(ringAnswerDone)
	case ask == ringAskDetach && r.done():
		On = false
		detachProgram()
		s.detached, s.resuming = true, true
		s.out.begin(ringAnswerDone)
	case ask == ringAskTasks:
		s.tasks(&r)
	case ask == ringAskVariables:
		s.variables(&r)
	case ask == ringAskGet:
		s.get(&r)
	case ask == ringAskSet:
		s.set(&r)
	default:
		s.out.fail("the message makes no sense")
	}
}

func (s *session) halt() {
	if !s.halted {
		s.halted = haltProgram()
	}
	if !s.halted {
		resumeProgram()
		s.out.fail("programs cannot be halted with this release of Go: antichain doctor shows why")
		return
	}
	s.out.begin(ringAnswerDone)
}

func (s *session) resume() {
	resumeProgram()
	s.halted, s.resuming = false, false
}

// mayLook reports whether the program is halted, else it replies that it is not.
func (s *session) mayLook(r *reader) bool {
	switch {
	case !r.done():
		s.out.fail("the message makes no sense")
	case !s.halted:
		s.out.fail("the program is not halted")
	default:
		return true
	}
	return false
}

// page is the maximum number of goroutines, or variables, in one reply. It is small, which leaves
// room for the calls in the user's code that have led a goroutine deep into a library: see
// maxFrames.
const page = 16

func (s *session) tasks(r *reader) {
	from := r.uvarint()
	if !s.mayLook(r) {
		return
	}
	found := make([]task, page)
	n, next := 0, 0
	if from < 1<<32 {
		n, next = listTasks(int(from), found)
	}
	s.out.begin(ringAnswerTasks)
	s.out.uvarint(uint64(next))
	s.out.uvarint(uint64(n))
	for i := range found[:n] {
		s.out.task(&found[i])
	}
}

// maxName bounds each name in a reply: a page of them must fit.
const maxName = 200

func (m *message) task(t *task) {
	m.uvarint(t.ctx)
	m.byte(t.state)
	m.name(t.reason)
	var frames []runtime.Frame
	for all := runtime.CallersFrames(t.pcs[:t.n]); ; {
		f, more := all.Next()
		if f.PC != 0 && len(frames) < maxFrames && !(len(frames) == 0 && isAgentFunction(f.Function)) {
			frames = append(frames, f)
		}
		if !more {
			break
		}
	}
	m.uvarint(uint64(len(frames)))
	for _, f := range frames {
		m.name(f.Function)
		m.name(f.File)
		m.uvarint(uint64(max(f.Line, 0)))
	}
}

// isAgentFunction reports whether a function is the agent's, or the runtime's below it.
func isAgentFunction(name string) bool {
	return strings.HasPrefix(name, "runtime.") || strings.HasPrefix(name, "antichain/agent.")
}

// maxFrames of maxName twice, for a page of goroutines, fit into a reply.
const maxFrames = ringControlMaxReply/page/(2*(maxName+2)+5) - 1
