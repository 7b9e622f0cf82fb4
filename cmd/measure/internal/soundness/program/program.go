// Package program has small Go programs as values: random ones, their source, and the ways to make
// one smaller.
//
// It knows nothing of antichain. A program has goroutines without loops, which operate on objects
// of package sync, channels, timers and contexts. They keep what an operation returned in two
// variables, branch on these, and call functions that mark places, at_0 and so on, with a value.
package program

// Program is a program. Its main function makes the objects and then runs Main.
type Program struct {
	Objects []Object
	Main    []*Stmt
}

// Kind is what an object is.
type Kind uint8

// Kinds of objects.
const (
	Chan Kind = iota
	Mutex
	RWMutex
	WaitGroup
	Once
	Cond        // of the Mutex Of
	Map         // a sync.Map
	Atomic      // an atomic.Int32
	Timer       // made by time.NewTimer; N is 1 if it fires soon, else it never does
	Func        // made by time.AfterFunc where the program does AfterFunc
	Context     // Of is the parent's index plus 1, 0 is context.Background; N is 1 if it has a timeout that ends soon
	ContextFunc // the function that context.AfterFunc returned, of the Context Of
	Shared      // a variable that a lock guards
	Pool        // a sync.Pool
	Stream      // a pipe, or one direction of a connection, as N says
	kindCount
)

// Object is an object of a program. Its name in the source is its kind and index.
type Object struct {
	Kind Kind
	N    int // of Chan the capacity; see the kinds
	Of   int // index of the object that it belongs to; see the kinds
}

// Var is one of the two variables of a goroutine, or none.
type Var uint8

// Variables.
const (
	NoVar Var = iota
	A
	B
)

// Value is a constant, or what a variable has.
type Value struct {
	Var Var
	N   int // if there is no variable
}

// Const is a constant.
func Const(n int) Value { return Value{N: n} }

// Op is what a statement does.
type Op uint8

// Statements. Object is the index of the object; Dst takes the result, a boolean as 0 or 1.
const (
	Nothing Op = iota

	Mark    // calls at_N with Value, which calls library if Then is not 0
	If      // does Body if Value is N, else Else
	Go      // starts Body as a goroutine, with WaitGroup.Go if Object is one, else it is -1
	Sleep   // for N milliseconds
	Library // call N of it, which uses locks of the standard library and has no other effect

	Send          // Value
	SendRecovered // Value, a constant, and recovers from the panic of a closed channel; whether it was sent
	Recv          // also from a Timer or the Done of a Context, and then without a result
	Close         //
	Len           //
	Select        // one of Cases, or Else if Default

	Lock
	Unlock
	TryLock
	RLock
	RUnlock
	TryRLock

	Add // N
	Done
	Wait

	Do // Body, once

	CondWait // while the Shared N has the value Value
	Signal
	Broadcast

	MapLoad           // of key N, as all of these; -1 if there is none
	MapStore          // Value
	MapLoadOrStore    // Value; whether it was loaded
	MapLoadAndDelete  // -1 if there was none
	MapSwap           // Value; -1 if there was none
	MapCompareAndSwap // Old, Value; whether it has swapped
	MapRange          // the sum of what it sees, and 10 for each key

	Load
	Store          // Value
	Inc            // adds N and returns the sum
	Swap           // Value; the old one
	CompareAndSwap // Old, Value; whether it has swapped

	Put // Value into a Pool, one of 1 to 7
	Get // from a Pool; 0 if there is nothing

	Read  // of a Shared
	Write // Value

	Stop      // of a Timer, Func or ContextFunc; whether it has stopped it
	Reset     // of a Timer or Func; whether it was active. It fires soon if N is 1, else it never does
	AfterFunc // makes the Func or ContextFunc that starts Body; a Func does so soon if N is 1, else never

	Cancel // a Context
	Err    // whether it has ended

	StreamWrite // Value, a constant, as a byte; nothing if the Stream is closed
	StreamRead  // at most N bytes; the last of them, 0 if the Stream is closed and there are none
	StreamClose
)

// N of a Stream. MostBytes is how many are written to one.
const (
	Pipe = iota
	TCP
	Unix
	streamKinds

	MostBytes = 4
)

// Stmt is a statement.
type Stmt struct {
	Op         Op
	Object     int
	Dst        Var
	Value      Value
	Old        int
	N          int
	Then       int // call of the library in a marked place, from 1
	Cases      []Case
	Default    bool
	Reflect    bool // a Select that package reflect does
	Body, Else []*Stmt
}

// Case is a case of a Select.
type Case struct {
	Send   bool
	Object int
	Value  Value
	Dst    Var
	Body   []*Stmt
}

// blocks returns the lists of statements inside a statement.
func (s *Stmt) blocks() []*[]*Stmt {
	blocks := []*[]*Stmt{&s.Body, &s.Else}
	for i := range s.Cases {
		blocks = append(blocks, &s.Cases[i].Body)
	}
	return blocks
}

// walk calls visit with each statement, outer ones first.
func walk(list []*Stmt, visit func(*Stmt)) {
	for _, s := range list {
		visit(s)
		for _, b := range s.blocks() {
			walk(*b, visit)
		}
	}
}

// Statements returns all statements of a program, outer ones first.
func (p *Program) Statements() []*Stmt {
	var all []*Stmt
	walk(p.Main, func(s *Stmt) { all = append(all, s) })
	return all
}

// clone returns a copy of a list that shares nothing with it.
func clone(list []*Stmt) []*Stmt {
	if list == nil {
		return nil
	}
	copied := make([]*Stmt, len(list))
	for i, s := range list {
		c := *s
		c.Cases = append([]Case(nil), s.Cases...)
		for _, b := range c.blocks() {
			*b = clone(*b)
		}
		copied[i] = &c
	}
	return copied
}

// Clone returns a copy of the program that shares nothing with it.
func (p *Program) Clone() *Program {
	return &Program{append([]Object(nil), p.Objects...), clone(p.Main)}
}
