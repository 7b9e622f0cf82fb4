package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
)

// Names in the directory of a ring that the program listens beside.
const (
	SocketName = "control"
	ringName   = "ring" // in the directory of a program that waits for one
)

// TraceWait is the value of ring.EnvTrace that makes a program wait for a checker.
const TraceWait = "wait"

// answerTimeout bounds the wait for a reply. Halting may have to wait for the end of a
// garbage collection.
const answerTimeout = 30 * time.Second

// Session is a connection to a program. Its methods may be called on any goroutine.
type Session struct {
	mu     sync.Mutex
	conn   net.Conn
	halter Halter
	pid    int
	err    error // why no further request is possible

	detached atomic.Bool
}

// Halter sets the word that stops goroutines at their next record; *ring.Ring implements it. It
// makes halting quick where the program leaves its operator no processor.
type Halter interface{ Halt() error }

// Dial connects to the program that listens at socket. h is the ring of that program.
func Dial(ctx context.Context, socket string, h Halter) (*Session, error) {
	conn, pid, err := connect(ctx, socket)
	if err != nil {
		return nil, err
	}
	return handshake(ctx, conn, pid, h)
}

// handshake begins the conversation. It closes the connection on failure.
func handshake(ctx context.Context, conn net.Conn, pid int, h Halter) (*Session, error) {
	s := &Session{conn: conn, halter: h, pid: pid}
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	r, err := s.request(ring.AnswerHello, newMessage(ring.AskHello).uvarint(ring.ControlVersion))
	if err == nil {
		version, said := r.uvarint(), r.uvarint()
		switch err = r.finish(); {
		case err != nil:
		case version != ring.ControlVersion:
			err = fmt.Errorf("the program uses version %d of the protocol, not %d: build it with this version of "+
				"antichain", version, ring.ControlVersion)
		case said != uint64(pid):
			err = fmt.Errorf("the program says that it is process %d, the system that it is %d", said, pid)
		}
	}
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		conn.Close()
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = errors.New("the program does not answer: another checker is connected, or the program was built " +
				"without a specification")
		}
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	return s, nil
}

// ErrEnded is the error after the program has closed the connection, most often by ending.
var ErrEnded = errors.New("the program has ended or closed the connection")

// RefusalError says why the program cannot carry out a request. The session goes on.
type RefusalError struct{ Reason string }

func (e *RefusalError) Error() string { return e.Reason }

// request sends a request and returns the body of its reply, which must be of the given type.
func (s *Session) request(expected byte, m message) (*reader, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return nil, s.err
	}
	if err := s.conn.SetDeadline(time.Now().Add(answerTimeout)); err != nil {
		return nil, s.fail(err)
	}
	if err := m.send(s.conn); err != nil {
		return nil, s.fail(err)
	}
	answer, body, err := receive(s.conn)
	switch {
	case err != nil:
		return nil, s.fail(err)
	case answer == expected:
		return body, nil
	case answer != ring.AnswerError:
		return nil, s.fail(errReply)
	}
	reason := body.text()
	if err := body.finish(); err != nil {
		return nil, s.fail(err)
	}
	return nil, &RefusalError{reason}
}

// fail closes the connection: a late reply would be taken for the reply to the next request.
// Closing it resumes a halted program.
func (s *Session) fail(err error) error {
	var op *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.As(err, &op):
		err = ErrEnded
	}
	s.err = err
	s.conn.Close()
	return err
}

// PID is the program's process id, as the system knows it.
func (s *Session) PID() int { return s.pid }

// Halt halts the program and returns when it stands still.
func (s *Session) Halt() error {
	if s.halter != nil {
		if err := s.halter.Halt(); err != nil {
			return err
		}
	}
	return s.command(newMessage(ring.AskHalt))
}

func (s *Session) Resume() error { return s.command(newMessage(ring.AskResume)) }

// Detach resumes the program, and ends its trace and the session for good.
func (s *Session) Detach() error {
	err := s.command(newMessage(ring.AskDetach))
	if err == nil {
		s.detached.Store(true)
	}
	return errors.Join(err, s.Close())
}

// Detached reports whether Detach has ended the trace.
func (s *Session) Detached() bool { return s.detached.Load() }

// Close ends the connection. A halted program goes on; see the package comment.
func (s *Session) Close() error { return s.conn.Close() }

// command sends a request whose reply is empty.
func (s *Session) command(m message) error {
	r, err := s.request(ring.AnswerDone, m)
	if err != nil {
		return err
	}
	return r.finish()
}

// State is the state of a goroutine of a halted program.
type State uint8

// The states.
const (
	// runnable: it stands at a record, or has not run since it waited
	Stopped State = ring.TaskStopped
	Between State = ring.TaskBetween // runnable: it was stopped between two records
	Waiting State = ring.TaskWaiting // blocked by an operation of its own
	Outside State = ring.TaskOutside // in a system call or C code
)

func (s State) String() string {
	switch s {
	case Stopped:
		return "stopped"
	case Between:
		return "stopped between two records"
	case Waiting:
		return "waiting"
	case Outside:
		return "in a system call or C code"
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// Task is a goroutine of a halted program.
type Task struct {
	Ctx    uint64 // as in its records (ring.Record)
	State  State
	Reason string // why it waits, in words of the runtime: "chan receive"
	// innermost first, without the runtime's own calls at that end; a long one is cut
	Stack []Frame
}

// Frame is a call on a stack. A long name is cut at its front, and begins with "…".
type Frame struct {
	Func string // "main.(*Server).Serve"
	File string // as the compiler knew it
	Line int
}

// Tasks returns the goroutines of a halted program.
func (s *Session) Tasks() ([]Task, error) {
	var tasks []Task
	err := s.requestPages(ring.AskTasks, ring.AnswerTasks, func(r *reader) { tasks = append(tasks, readTask(r)) })
	return tasks, err
}

func readTask(r *reader) Task {
	t := Task{Ctx: r.uvarint(), State: State(r.byte()), Reason: r.text()}
	for range r.count() {
		t.Stack = append(t.Stack, Frame{Func: r.text(), File: r.text(), Line: int(r.uvarint())})
	}
	return t
}

// requestPages asks for all pages of a list.
func (s *Session) requestPages(ask, answer byte, each func(*reader)) error {
	for from := uint64(0); ; {
		r, err := s.request(answer, newMessage(ask).uvarint(from))
		if err != nil {
			return err
		}
		next := r.uvarint()
		for range r.count() {
			each(r)
		}
		if err := r.finish(); err != nil {
			return err
		}
		if next <= from {
			return nil
		}
		from = next
	}
}

// Variable is a name that the program's specification has for a package variable or a
// part of one.
type Variable struct {
	Package string // of the specification: site.Table.Package
	Path    string
	Type    string // "" if a pointer on the path is nil now
}

// Variables returns the variables of a halted program that Get accepts. Get accepts their parts,
// too.
func (s *Session) Variables() ([]Variable, error) {
	var vars []Variable
	err := s.requestPages(ring.AskVariables, ring.AnswerVariables, func(r *reader) {
		vars = append(vars, Variable{Package: r.text(), Path: r.text(), Type: r.text()})
	})
	return vars, err
}

// Value is the value of a variable with its type. A value that cannot be shown, or is too large, is
// an object with the field "?", as in traces.
type Value struct {
	Type string
	event.Value
}

// Get returns the value that path leads to, in a halted program. pkg is the package of
// the specification.
func (s *Session) Get(pkg, path string) (Value, error) {
	return s.value(newMessage(ring.AskGet).text(pkg).text(path))
}

// Set changes the variable at path and returns its new value. v is a boolean, number, string, or
// null for nil. The program refuses a value that does not fit the type.
func (s *Session) Set(pkg, path string, v event.Value) (Value, error) {
	return s.value(newMessage(ring.AskSet).text(pkg).text(path).value(v))
}

func (s *Session) value(m message) (Value, error) {
	r, err := s.request(ring.AnswerValue, m)
	if err != nil {
		return Value{}, err
	}
	v := Value{Type: r.text(), Value: r.value()}
	return v, r.finish()
}
