package stubborn

import (
	"slices"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/kripke"
)

// localStates are the joint values of the variables that a process uses and no other one writes.
// The process assigns to them only expressions over such variables, so they change only when it
// moves, to known values.
type localStates struct {
	variables []localVariable
	count     int // number of joint values
}

type localVariable struct {
	gcl.Field
	at     int // index among the fields of the program
	stride int // weight of its value in the number of a local state
}

// Limits for how many actions are tried in local states, for one process and for all together. This
// runs before the search, which alone has a time limit.
const (
	mostLocal    = 1 << 14
	mostLocalAll = 1 << 18
)

type localBuilder struct {
	*relation
	processes int
	actions   []gcl.Action
	fields    []gcl.Field
	places    fields
}

// build returns the local states of a process with these actions. If there are too many, it omits
// the variables with the largest ranges.
func (b *localBuilder) build(process int, actions []int) *localStates {
	most := min(mostLocal, mostLocalAll/b.processes) / max(len(actions), 1)
	for own := b.ownVariables(int32(process), actions); ; {
		b.close(own, actions)
		l, widest := &localStates{count: 1}, -1
		for i := range own.All() {
			if widest < 0 || b.size(i) > b.size(widest) {
				widest = i
			}
			l.variables = append(l.variables, localVariable{b.fields[i], i, l.count})
			l.count *= int(min(b.size(i), mostLocal+1))
			l.count = min(l.count, mostLocal+1)
		}
		if widest < 0 || l.count <= most {
			return l
		}
		own.Remove(widest)
	}
}

func (b *localBuilder) size(field int) int64 { return b.fields[field].High - b.fields[field].Low + 1 }

// ownVariables returns the variables that a process uses and no other one writes.
func (b *localBuilder) ownVariables(process int32, actions []int) smallset.Set {
	own := smallset.New(len(b.fields))
	for _, a := range actions {
		own.Join(b.accesses[a].reads)
		own.Join(b.accesses[a].writes)
	}
	for i := range own.All() {
		if w := b.writer[i]; w != process && w != kripke.NoProcess {
			own.Remove(i)
		}
	}
	return own
}

// close removes the variables to which actions assign expressions over removed variables.
func (b *localBuilder) close(own smallset.Set, actions []int) {
	for again := true; again; {
		again = false
		for _, a := range actions {
			for i := range b.actions[a].Effects {
				again = b.places.exclude(own, &b.actions[a].Effects[i]) || again
			}
		}
	}
}

// exclude removes the variables that an effect writes, unless it reads only the remaining ones. It
// reports whether it removed any.
func (f fields) exclude(own smallset.Set, e *gcl.Effect) (removed bool) {
	reads, writes := f.effect(e)
	if reads.In(own) {
		return false
	}
	for i := range writes.All() {
		removed = removed || own.Has(i)
		own.Remove(i)
	}
	return removed
}

// number returns the number of the local state for these values of the program's fields.
func (l *localStates) number(values []int64) int {
	n := 0
	for i := range l.variables {
		v := &l.variables[i]
		n += int(values[v.at]-v.Low) * v.stride
	}
	return n
}

// values returns the values of the variables in a local state.
func (l *localStates) values(number int) map[string]int64 {
	values := map[string]int64{}
	for _, v := range slices.Backward(l.variables) {
		values[v.Name] = v.Low + int64(number/v.stride)
		number %= v.stride
	}
	return values
}

// after returns the local state after an action. It reports false if the action is disabled or
// leaves the range of a variable for all values of the other variables.
func (l *localStates) after(number int, a *gcl.Action) (next int, ok bool) {
	known := l.values(number)
	if b, ok := gcl.Fold(a.Guard, known).(*gcl.Bool); ok && !b.Value {
		return 0, false
	}
	for _, e := range a.Effects {
		if _, ok := known[e.To]; !ok {
			continue
		}
		if e.With != "" {
			known[e.To], known[e.With] = known[e.With], known[e.To]
		} else {
			known[e.To] = gcl.Fold(e.Value, known).(*gcl.Number).Value
		}
	}
	for _, v := range l.variables {
		value := known[v.Name]
		if value < v.Low || value > v.High {
			return 0, false
		}
		next += int(value-v.Low) * v.stride
	}
	return next, true
}
