//go:build linux

package ring

import (
	"slices"
	"testing"
)

// Held contexts stay in their places, and those that are not held any more leave theirs.
func TestHold(t *testing.T) {
	r, err := Create(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	held := func() (all []uint64) {
		for i := range MaxHeld {
			if ctx := *r.word64(OffHeld + 8*i); ctx != 0 {
				all = append(all, ctx)
			}
		}
		return all
	}
	many := make([]uint64, MaxHeld+1)
	for i := range many {
		many[i] = uint64(i + 1)
	}
	for _, tt := range []struct {
		others bool
		ctxs   []uint64
		list   []uint64
		halt   uint32
	}{
		{false, []uint64{7, 3, 5}, []uint64{7, 3, 5}, HaltHeld},
		{false, []uint64{5, 7}, []uint64{7, 5}, HaltHeld},
		{false, []uint64{5, 9, 7}, []uint64{7, 9, 5}, HaltHeld},
		{true, []uint64{9}, []uint64{9}, HaltOthers},
		{true, nil, nil, HaltOthers},
		{false, many[:MaxHeld], many[:MaxHeld], HaltHeld},
		{false, nil, nil, 0},
	} {
		if err := r.Hold(tt.others, tt.ctxs...); err != nil {
			t.Fatal(err)
		}
		if got := *r.word32(OffHalt); !slices.Equal(held(), tt.list) || got != tt.halt {
			t.Errorf("others=%v %v: list %v, word %d", tt.others, tt.ctxs, held(), got)
		}
	}
	if err := r.Halt(); err != nil {
		t.Fatal(err)
	}
	if err := r.Hold(false, 1); err != nil || *r.word32(OffHalt) != HaltNow|HaltHeld {
		t.Errorf("%v, word %d", err, *r.word32(OffHalt))
	}
	for _, wrong := range [][]uint64{many, {1, 0}} {
		if err := r.Hold(false, wrong...); err == nil {
			t.Errorf("%v can be held", wrong)
		}
	}
}

// Interrupts are a flag among others.
func TestTakeInterrupts(t *testing.T) {
	r, err := Create(t.TempDir(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, ours := range []bool{true, true, false, false} {
		if err := r.TakeInterrupts(ours); err != nil {
			t.Fatal(err)
		}
		if flags := *r.word32(OffFlags); flags&FlagOn == 0 || (flags&FlagInterrupts != 0) != ours {
			t.Errorf("interrupts are ours: %v, word %d", ours, flags)
		}
	}
}
