package ring

import (
	"encoding/binary"
	"slices"
	"testing"
)

// Counts are written as the hooks read them.
func TestCounts(t *testing.T) {
	c := &Counts{Sites: []uint32{7, 9}, Weights: []Weight{{Of: 3, Steps: 4}, {Of: 5, Steps: 6}}}
	var words []uint32
	for b := c.encode(); len(b) > 0; b = b[4:] {
		words = append(words, binary.LittleEndian.Uint32(b))
	}
	if want := []uint32{2, 2, 0, 0, 0, 0, 7, 9, 3, 4, 5, 6}; !slices.Equal(words, want) {
		t.Errorf("%d, want %d", words, want)
	}
	if notes(c.encode()) != nil || notes(nil) != nil || (*Counts)(nil).encode() != nil {
		t.Error("notes without room")
	}
}

// Notes are read as the hooks write them, and no more of them than there is room for.
func TestNotes(t *testing.T) {
	constraints := []Constraint{{Writer: 1, Reader: 2}, {Writer: 3, Reader: 4, Other: true}}
	le, b := binary.LittleEndian, (&Counts{Constraints: constraints}).encode()
	if le.Uint32(b[CountsConstraints:]) != 2 {
		t.Error("not two constraints")
	}
	for i, c := range constraints {
		at := b[CountsData+i*ConstraintSize:]
		got := Constraint{
			le.Uint32(at[ConstraintWriter:]), le.Uint32(at[ConstraintReader:]), le.Uint32(at[ConstraintOther:]) == 1,
		}
		if got != c {
			t.Errorf("%+v, want %+v", got, c)
		}
	}
	note := func(i int, goroutine, site uint32, object uint64) {
		at := b[CountsData+len(constraints)*ConstraintSize+i*NoteSize:]
		le.PutUint32(at[NoteGoroutine:], goroutine)
		le.PutUint32(at[NoteSite:], site)
		le.PutUint64(at[NoteObject:], object)
	}
	note(0, 1, 2, NoteStarts|3)
	note(1, 1, 4, 5)
	note(2, 1, 6, NoteLooks|5)
	le.PutUint32(b[CountsUsed:], 3)
	want := []Note{
		{Goroutine: 1, Site: 2, Parent: 3}, {Goroutine: 1, Site: 4, Object: 5},
		{Goroutine: 1, Site: 6, Object: 5, Looks: true},
	}
	if got := notes(b); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	le.PutUint32(b[CountsUsed:], ^uint32(0))
	if n := len(notes(b)); n != MaxNotes {
		t.Errorf("%d notes, room for %d", n, MaxNotes)
	}
}
