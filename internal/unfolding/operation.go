package unfolding

// Goroutine is the number of a goroutine, the same in all runs. Numbers go by places in the tree
// of go statements.
type Goroutine int

// Object is the number of an object, the same in all runs.
type Object int

// Kind says what an operation does to its object.
type Kind uint8

// Kinds of operations. Those of package sync are divided where another goroutine can come between.
const (
	End          Kind = iota // the goroutine does nothing more
	Lock                     // of a Mutex; possible while nothing holds it
	TryLock                  // of a Mutex; fails while something holds it
	Unlock                   // of a Mutex
	Announce                 // a writer of a RWMutex keeps new readers away
	Acquire                  // the announced writer has the RWMutex, once all readers have left
	TryWriteLock             // of a RWMutex; fails while there is a writer or a reader
	WriteUnlock              // a writer leaves
	ReadLock                 // of a RWMutex; possible while no writer is announced
	TryReadLock              // of a RWMutex; fails while a writer is announced
	ReadUnlock               // a reader leaves
	Enlist                   // for a Cond, before Wait unlocks
	Wake                     // from Wait, before it locks; possible after a Signal or Broadcast
	Signal                   // of a Cond: the goroutine that was enlisted first
	Broadcast                // of a Cond
	Do                       // of a Once, while no other Do goes on; begins unless one has ended
	DoEnds                   // the Do that has begun
	Load                     // of an atomic variable, or of memory
	Store                    // of these; any change, and a CompareAndSwap even if it fails
	Add                      // Delta to the counter of a WaitGroup
	Wait                     // until the counter of a WaitGroup is zero
	Communicate              // one of Cases, or the default of a select if Default
	Close                    // of a channel
	Length                   // len of a channel
	Start                    // of a goroutine
)

// Operation is an operation of a goroutine.
type Operation struct {
	Kind    Kind
	Object  Object
	Delta   int       // Add
	Starts  Goroutine // Start
	Cases   []Case    // Communicate; a send or receive outside of a select has one
	Default bool      // Communicate
	Place   int       // where it is in the program; the search only compares it with other runs
}

// Case is a send or receive.
type Case struct {
	Send     bool
	Channel  Object
	Capacity int
}

// Step is an operation with its choice: alone, or of a sender and a receiver that meet.
type Step struct {
	Goroutine Goroutine
	Case      int // index in Cases, Default, or 0
	Partner   Goroutine
	Receives  int // index in the Cases of the partner, or 0
}

const (
	// Alone is the partner of a step that has none.
	Alone Goroutine = -1
	// Default is the case of a select that takes its default.
	Default = -1
)

// access is the use of a part of an object. Two uses of a part can change places if both have the
// same effect, and that is reads or adds.
type access struct {
	object Object
	part   part
	effect effect
}

// part is a part of an object whose uses are ordered.
type part uint8

const (
	whole    part = iota // locks, lists of a Cond, atomic variables, counters
	senders              // the writing end of a buffered channel
	takers               // its reading end
	closing              // whether a channel is closed
	entering             // readers that come to a RWMutex
	leaving              // readers that leave it
)

// effect is the effect of an operation on a part.
type effect uint8

const (
	reads effect = iota
	adds         // such as Done of a WaitGroup: the sum does not depend on the order
	writes
)

func (a effect) commutes(b effect) bool { return a == b && a != writes }
