package ring

import "encoding/binary"

// Counts say which operations of a steered schedule count, and how many of them goroutines are
// expected to do.
type Counts struct {
	Sites []uint32 // of these operations; all operations of the program if there are none
	// nil: none count, and the program notes its operations instead; see Stats.Notes
	Weights []Weight
	// what operations are to read; not with Weights
	Constraints []Constraint
}

// Constraint says that operations of the reader's site are to read what one of the writer's site
// has written, or anything else.
type Constraint struct {
	Writer, Reader uint32
	Other          bool
}

// Weight is how many operations a goroutine and those that it starts are expected to do.
type Weight struct {
	Of    uint32 // the goroutine, or the go statement that starts others
	Steps uint32
}

// Note is an operation of the program on a synchronisation object, or a go statement. A goroutine
// has the same number in all runs in which it and those before it have the same place in the tree
// of go statements. A site stands for a call of the program, and the one that led there.
type Note struct {
	// that operates, or is started; 0: this is another object of the operation before
	Goroutine uint32
	Site      uint32 // of the operation, or of the go statement
	Object    uint64 // 0 for a go statement
	Looks     bool   // it changes nothing
	// of a goroutine that is started; 0 if no goroutine of the program starts it
	Parent uint32
}

// encode returns what the program reads of c, with room for what it notes.
func (c *Counts) encode() []byte {
	if c == nil {
		return nil
	}
	le := binary.LittleEndian
	b := make([]byte, CountsData)
	le.PutUint32(b[CountsSites:], uint32(len(c.Sites)))
	le.PutUint32(b[CountsWeights:], uint32(len(c.Weights)))
	le.PutUint32(b[CountsConstraints:], uint32(len(c.Constraints)))
	for _, constraint := range c.Constraints {
		other := uint32(0)
		if constraint.Other {
			other = 1
		}
		b = le.AppendUint32(le.AppendUint32(b, constraint.Writer), constraint.Reader)
		b = append(le.AppendUint32(b, other), make([]byte, ConstraintSize-ConstraintOther-4)...)
	}
	if len(c.Weights) == 0 {
		le.PutUint32(b[CountsRoom:], MaxNotes)
		return append(b, make([]byte, MaxNotes*NoteSize)...)
	}
	for _, site := range c.Sites {
		b = le.AppendUint32(b, site)
	}
	for _, w := range c.Weights {
		b = le.AppendUint32(le.AppendUint32(b, w.Of), w.Steps)
	}
	return b
}

// notes returns what the program has noted in b, which begins as encode has made it.
func notes(b []byte) (all []Note) {
	if len(b) < CountsData+MaxNotes*NoteSize {
		return nil
	}
	le := binary.LittleEndian
	used := min(le.Uint32(b[CountsUsed:]), MaxNotes)
	b = b[len(b)-MaxNotes*NoteSize:]
	for i := range used {
		at := b[i*NoteSize:]
		n := Note{Goroutine: le.Uint32(at[NoteGoroutine:]), Site: le.Uint32(at[NoteSite:])}
		if other := le.Uint64(at[NoteObject:]); other&NoteStarts != 0 {
			n.Parent = uint32(other)
		} else {
			n.Object, n.Looks = other&^NoteLooks, other&NoteLooks != 0
		}
		all = append(all, n)
	}
	return all
}
