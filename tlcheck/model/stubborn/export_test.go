package stubborn

import (
	"github.com/antichain-go/antichain/tlcheck/model/gcl"
	"github.com/antichain-go/antichain/tlcheck/model/internal/smallset"
	"github.com/antichain-go/antichain/tlcheck/model/temporal"
)

// Safety is safety, of a formula.
func Safety(f *temporal.Formula) bool { return safety(f, false) }

// Local are the local states of a program.
type Local struct {
	actions []gcl.Action
	*loops
}

// LocalOf returns the local states of a program.
func LocalOf(program *gcl.System) *Local {
	actions, fields := program.Actions(), fieldsOf(program)
	return &Local{actions, newLoops(program, newRelation(actions, fields), fields, smallset.New(len(actions)), false)}
}

// Count returns how many local states a process has.
func (l *Local) Count(process int) int { return l.of[process].count }

// Number returns the local state of a process where the fields have these values.
func (l *Local) Number(process int, values []int64) int { return l.of[process].number(values) }

// After returns the local state behind an action.
func (l *Local) After(number, action int) (int, bool) {
	return l.of[l.actions[action].Process].after(number, &l.actions[action])
}
