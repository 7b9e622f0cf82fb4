package ring

import (
	"sync/atomic"
	"time"
)

// Passed says what time has passed in a steered schedule although goroutines could go on.
type Passed struct {
	// Early are the deadlines that passed early, in their order; see Options.Early. Those that were
	// left out are zero.
	Early []Firing
	// Slow reports whether some time went by since goroutines were kept back, computed for long,
	// waited for something outside of the program or in loops, or read the clock again and again.
	Slow bool
	// Read reports whether the program has read the clock, by which code takes next to no time.
	Read bool
}

// Firing is a deadline that passed early.
type Firing struct {
	Kind     uint64 // EarlySleep or EarlyTimer
	Duration time.Duration
	At       [EarlyPCs]uint64 // where a goroutine could go on
	Set      [EarlyPCs]uint64 // where one slept or set the timer
}

// passed returns what the program says of that.
func (r *Ring) passed() Passed {
	p := Passed{
		Slow: atomic.LoadUint32(r.word32(OffSlow)) != 0, Read: atomic.LoadUint32(r.word32(OffRead)) != 0,
	}
	for i := range min(atomic.LoadUint32(r.word32(OffEarly)), MaxEarly) {
		at := OffFirings + int(i)*EarlySize
		f := Firing{
			Kind:     atomic.LoadUint64(r.word64(at + EarlyKind)),
			Duration: time.Duration(atomic.LoadUint64(r.word64(at + EarlyDuration))),
		}
		for k := range EarlyPCs {
			f.At[k] = atomic.LoadUint64(r.word64(at + EarlyAt + 8*k))
			f.Set[k] = atomic.LoadUint64(r.word64(at + EarlySet + 8*k))
		}
		p.Early = append(p.Early, f)
	}
	return p
}
