package hang

import (
	"bytes"
	"slices"
	"time"

	"github.com/antichain-go/antichain/tlcheck/builtin"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/op"
)

// announcement is a finding that was reported while the program runs.
type announcement struct {
	builtin.Finding
	key builtin.Key
	at  time.Duration
}

// announce notes that a finding is reported. It returns false if it was reported before.
func (w *Watch) announce(f *builtin.Finding, names op.Names) bool {
	key := f.Key(names)
	if slices.ContainsFunc(w.reported, func(a announcement) bool { return a.key == key }) {
		return false
	}
	w.reported = append(w.reported, announcement{*f, key, w.now})
	return true
}

// withdraw says which findings were reported although a goroutine of them has gone on since.
// Another goroutine may have unlocked a lock for it.
func (w *Watch) withdraw(names op.Names) {
	var wrong []builtin.Finding
	w.reported = slices.DeleteFunc(w.reported, func(a announcement) bool {
		if w.stillStands(&a) {
			return false
		}
		wrong = append(wrong, a.Finding)
		return true
	})
	if len(wrong) == 0 {
		return
	}
	var b bytes.Buffer
	_ = report.WriteWithdrawn(&b, wrong, names, w.source) // a buffer does not fail
	_, _ = w.out.Write(b.Bytes())
}

// stillStands reports whether no goroutine of a finding has gone on since it was reported.
func (w *Watch) stillStands(a *announcement) bool {
	return !slices.ContainsFunc(a.Parties, func(p builtin.Party) bool {
		return w.stands(&a.Finding, p.Task) < w.now-a.at
	})
}

// Conclude withdraws what the last operations of the run have refuted. It is called once the run is
// over.
func (w *Watch) Conclude(names op.Names) {
	if w != nil && names != nil {
		w.withdraw(names)
	}
}
