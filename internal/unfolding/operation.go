package unfolding

// Goroutine is the number of a goroutine, the same in all runs. Numbers go by places in the tree
// of go statements.
type Goroutine int

// Object is the number of an object, the same in all runs.
type Object int

// Kind says what an operation does to its object.
type Kind uint8

// Kinds of operations.
const (
	End         Kind = iota // the goroutine does nothing more
	Lock                    // of a Mutex; possible while nothing holds it
	TryLock                 // of a Mutex; fails while something holds it
	Unlock                  // of a Mutex
	Announce                // a writer of a RWMutex keeps new readers away
	Acquire                 // the writer that was announced has the RWMutex, once all readers have left
	WriteUnlock             // a writer leaves
	ReadLock                // of a RWMutex; possible while no writer is announced
	ReadUnlock              // a reader leaves
	Load                    // of an atomic variable
	Store                   // of an atomic variable, or any other change of it
	Add                     // Delta to the counter of a WaitGroup
	Wait                    // until the counter of a WaitGroup is zero
	Communicate             // one of Cases, or the default of a select if Default
	Close                   // of a channel
	Length                  // len of a channel
	Start                   // of a goroutine
)

// Operation is an operation of a goroutine.
type Operation struct {
	Kind    Kind
	Object  Object
	Delta   int       // Add
	Starts  Goroutine // Start
	Cases   []Case    // Communicate; a send or receive outside of a select has one
	Default bool      // Communicate
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
	whole   part = iota // locks, atomic variables, counters
	senders             // the writing end of a buffered channel
	takers              // its reading end
	closing             // whether a channel is closed
	leaving             // readers that leave a RWMutex
)

// effect is the effect of an operation on a part.
type effect uint8

const (
	reads effect = iota
	adds         // such as Done of a WaitGroup: the sum does not depend on the order
	writes
)

func (a effect) commutes(b effect) bool { return a == b && a != writes }
