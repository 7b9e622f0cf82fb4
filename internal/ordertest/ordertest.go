// Package ordertest has small random programs whose partial orders are known. A program is of a
// language of its own, in which all orders are found by trying all interleavings, and is also
// written in Go. There it says which order it had.
//
//	p := ordertest.Draw(random, 24)
//	orders := p.Orders()    // all of them, as the program in Go says them
//	text := p.Source(7)     // function program7 of the program in Go; see Main
//
// Two runs have the same order if all that their goroutines can notice is the same: which one had a
// lock before which other one, which one received what, and which case a select statement took. A
// channel with a buffer has a single receiver: the order of its sends can be noticed.
package ordertest

// Program is what some goroutines do.
type Program struct {
	Goroutines [][]Op
	Capacity   [channels]int
}

// Numbers of objects. The first channel has no buffer.
const (
	mutexes  = 2
	channels = 2
	receiver = 0 // the goroutine that receives from channels with a buffer
)

// Op is an operation, or what a goroutine does between two of them.
type Op struct {
	Kind Kind
	On   int // the mutex or channel
	Skip int // how many operations are skipped
}

// Kind says what an operation does.
type Kind int

// The kinds.
const (
	Lock        Kind = iota // of a mutex, whose value is read or written before it is unlocked
	Unlock                  // of a mutex
	Read                    // the value of a mutex
	Write                   // the value of a mutex
	WriteLock               // of the RWMutex
	WriteUnlock             // of the RWMutex, whose value was counted up
	ReadLock                // of the RWMutex, whose value is read
	ReadUnlock              // of the RWMutex
	Send                    // the number of the operation
	Receive
	Choose      // receives from either channel
	SkipIfEven  // skips some operations if the value that was read or received last is even
	AddToAtomic // whose value is never read
)

// Has reports whether the program has an operation of a kind.
func (p *Program) Has(kind Kind) bool {
	for _, ops := range p.Goroutines {
		for _, o := range ops {
			if o.Kind == kind {
				return true
			}
		}
	}
	return false
}

// number is that of an operation: what is sent, and what stands for it in orders.
func number(g, pc int) int { return 100*(g+1) + pc }
