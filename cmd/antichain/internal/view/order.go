package view

import (
	"slices"
	"strings"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// fromNet adds the data of the net to the order of a violation: precedence, and the states of the
// goroutines.
func (m *orderMaker) fromNet(o *Order) {
	net := m.result.Net
	m.sections = net.Sections()
	stepOf := map[san.Action]int{}
	for i, n := range m.kept {
		for _, s := range net.Sides(m.order.Steps[n].Action) {
			stepOf[s] = i
		}
	}
	m.recordedOrder(o, stepOf)
	for i, n := range m.kept {
		for _, s := range net.Sides(m.order.Steps[n].Action) {
			for _, c := range causesOf(net, s) {
				if from, ok := stepOf[c]; ok && from != i && !slices.Contains(o.Steps[i].After, from) {
					o.Steps[i].After = append(o.Steps[i].After, from)
				}
			}
		}
	}
	watched := map[string]bool{}
	for _, n := range spec.VariablesOf(m.result.Property.Formula) {
		watched[n.Name] = true
	}
	for column, t := range m.order.Tasks {
		m.follow(o, column, t.Task, stepOf, watched)
	}
}

// causesOf returns the direct predecessors of an action in other tasks.
func causesOf(net *san.Net, a san.Action) []san.Action {
	causes := net.Causes(a)
	if by, ok := net.SpawnedBy(a.Task); ok && a.K == 1 && by.K > 0 {
		causes = append(causes, by)
	}
	return slices.DeleteFunc(causes, func(c san.Action) bool { return c.Task == a.Task })
}

// recordedOrder numbers the steps in the recorded order, unless the order of events is unknown.
func (m *orderMaker) recordedOrder(o *Order, stepOf map[san.Action]int) {
	if m.result.Witness.Unseen {
		return
	}
	n := 0
	for a := range m.result.Net.Order() {
		if i, ok := stepOf[a]; ok && o.Steps[i].Recorded == 0 {
			n++
			o.Steps[i].Recorded = n
			if n == len(o.Steps) {
				return
			}
		}
	}
}

// follow adds to the cells of a column the stack, variables and locks after each step.
func (m *orderMaker) follow(o *Order, column int, t san.Task, stepOf map[san.Action]int, watched map[string]bool) {
	net := m.result.Net
	w := net.Walk(t)
	var held []string
	var before Cell
	last := 0
	for a := range stepOf {
		if a.Task == t {
			last = max(last, int(a.K))
		}
	}
	for k := 1; k <= last && w.Next(); k++ {
		a := san.Action{Task: t, K: int32(k)}
		held = holdAfter(held, net.Event(a), m.sections)
		i, ok := stepOf[a]
		if !ok {
			continue
		}
		for c := range o.Steps[i].Cells {
			if o.Steps[i].Cells[c].Column == column {
				change(&o.Steps[i].Cells[c], &before, w.State(), held, watched)
			}
		}
	}
}

// change sets in a cell the differences from the cell before it in the column.
func change(c, before *Cell, s *san.State, held []string, watched map[string]bool) {
	if stack := stackTexts(s.Stack()); before.Stack == nil || !slices.Equal(stack, *before.Stack) {
		c.Stack, before.Stack = &stack, &stack
	}
	if values := valuesOf(s, watched); before.Values == nil || !slices.Equal(values, *before.Values) {
		c.Values, before.Values = &values, &values
	}
	if before.Locks == nil || !slices.Equal(held, *before.Locks) {
		locks := append([]string{}, held...)
		c.Locks, before.Locks = &locks, &locks
	}
}

// valuesOf returns the variables that a task sees, those of the innermost function first, without
// repetitions.
func valuesOf(s *san.State, watched map[string]bool) []Value {
	values := []Value{}
	seen := map[string]bool{}
	add := func(bs []event.Binding) {
		for _, b := range bs {
			if seen[b.Name] || len(values) == maxValues {
				continue
			}
			seen[b.Name] = true
			values = append(values, Value{Name: text(b.Name), Value: text(b.Value.String()), Watch: watched[b.Name]})
		}
	}
	stack := s.Stack()
	for _, f := range slices.Backward(stack) {
		add(f.Vars)
	}
	add(s.Own())
	slices.SortStableFunc(values, func(a, b Value) int {
		switch {
		case a.Watch == b.Watch:
			return 0
		case a.Watch:
			return -1
		}
		return 1
	})
	return values
}

// holdAfter returns the locks that a task holds after an event.
func holdAfter(held []string, info san.Info, sections *event.Sections) []string {
	does := sections.Of(info.Op, info.Obj)
	lock := heldAs(text(info.Obj), does)
	switch {
	case does.Begins:
		return append(held[:len(held):len(held)], lock)
	case does.Ends:
		return without(held, lock)
	}
	return held
}

// fromOperations adds to the order of a built-in finding the starts of goroutines, and the held
// locks.
func (m *orderMaker) fromOperations(o *Order) {
	started := map[int]int{} // by column: the step that starts it
	held := make([][]string, len(o.Columns))
	seen := make([]bool, len(o.Columns))
	for i, n := range m.kept {
		for j, c := range m.order.Steps[n].Cells {
			if from, ok := started[c.Column]; ok && !seen[c.Column] {
				o.Steps[i].After = append(o.Steps[i].After, from)
			}
			seen[c.Column] = true
			if c.Other >= 0 {
				started[c.Other] = i
			}
			m.holdOperation(&o.Steps[i].Cells[j], c, held)
		}
	}
}

// holdOperation sets the held locks in a cell if the operation changes them.
func (m *orderMaker) holdOperation(cell *Cell, c report.OrderCell, held [][]string) {
	object := objectName(c.Object)
	switch c.Kind {
	case op.Lock:
		held[c.Column] = append(held[c.Column][:len(held[c.Column]):len(held[c.Column])], object)
	case op.RLock:
		held[c.Column] = append(held[c.Column][:len(held[c.Column]):len(held[c.Column])], object+" for reading")
	case op.Unlock:
		held[c.Column] = without(held[c.Column], object)
	case op.RUnlock:
		held[c.Column] = without(held[c.Column], object+" for reading")
	default:
		return
	}
	locks := append([]string{}, held[c.Column]...)
	cell.Locks = &locks
}

// objectName returns the name of an object for the page.
func objectName(name string) string { return text(strings.TrimSpace(name)) }
