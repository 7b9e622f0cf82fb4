package schedule

import (
	"reflect"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// codeOf is a program whose lines of m.go have code, each at its number.
type codeOf struct{}

func (codeOf) UserCode() []ring.Code { return nil }

func (codeOf) Lines(wanted map[string]bool) map[string][]ring.Code {
	found := make(map[string][]ring.Code)
	for at := range wanted {
		if n, ok := strings.CutPrefix(at, "m.go:"); ok {
			found[at] = []ring.Code{{Lo: uint64(len(n)), Hi: 9}}
		}
	}
	return found
}

func accesses(kinds ...op.Kind) *Schedule {
	s := new(Schedule)
	for _, k := range kinds {
		s.Steps = append(s.Steps, Step{Goroutine: "main", Kind: k, Nth: 1, Line: Line{At: "m.go:1"}})
	}
	return s
}

// The last two accesses meet if one of them is plain. Elsewhere, or alone, they are none that can
// be kept.
func TestMeets(t *testing.T) {
	for _, tt := range []struct {
		kinds []op.Kind
		meets bool
		fits  bool
	}{
		{[]op.Kind{op.Read, op.Write}, true, true},
		{[]op.Kind{op.AtomicStore, op.Read}, true, true},
		{[]op.Kind{op.Write, op.AtomicLoad}, true, true},
		{[]op.Kind{op.AtomicStore, op.AtomicLoad}, false, true},
		{[]op.Kind{op.Lock, op.Write}, false, false},
		{[]op.Kind{op.Write}, false, false},
		{[]op.Kind{op.Write, op.Write, op.Write}, false, false},
		{[]op.Kind{op.Lock, op.AtomicStore}, false, true},
		{[]op.Kind{op.Lock, op.Unlock, op.Write, op.Read}, true, true},
		{[]op.Kind{op.AtomicStore, op.AtomicStore, op.Read}, true, true},
		{[]op.Kind{op.Write, op.Lock, op.Read}, false, false},
	} {
		s := accesses(tt.kinds...)
		if got := s.Meets(); got != tt.meets {
			t.Errorf("%v: %v", tt.kinds, got)
		}
		if _, err := s.Compile(&Program{Executable: codeOf{}}, Keep{}); (err == nil) != tt.fits {
			t.Errorf("%v: %v", tt.kinds, err)
		}
	}
}

// The compiled schedule says which access each step is.
func TestMeetsCompiled(t *testing.T) {
	kept, err := accesses(op.Lock, op.AtomicStore, op.Read).Compile(&Program{Executable: codeOf{}}, Keep{})
	if err != nil {
		t.Fatal(err)
	}
	type flags struct{ meets, writes, atomic, waits bool }
	var got []flags
	for _, s := range kept.Steps {
		got = append(got, flags{s.Meets, s.Writes, s.Atomic, s.Waits})
	}
	if want := []flags{{}, {true, true, true, false}, {true, false, false, false}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// An access whose partner the program has no more is nothing to wait for.
func TestMeetsFit(t *testing.T) {
	s := accesses(op.Read, op.Write)
	s.Steps[1].At = "gone.go:7"
	if dropped := s.Fit(&Program{Executable: codeOf{}}); len(dropped) != 1 || len(s.Steps) != 0 {
		t.Errorf("%q, %+v", dropped, s.Steps)
	}
}
