package causality

import (
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/tracer/op"
)

// displayNames are what reports call tasks: the function that a task runs, and the number of the
// task among those that run it if it is not the first. They are made when they are asked for, in
// the order in which the tasks were started.
type displayNames struct {
	tasks []displayName
	count map[string]int // tasks with a function

	starters map[op.Place]string // packages of libraries that execute a go statement
	entries  map[entry]string    // functions of the program that a library calls
}

// entry is a place to which a function of a library has led.
type entry struct {
	library string
	at      op.Place
}

type displayName struct {
	function string
	n        int
}

// displayName returns what reports call a task, "" if no function is known that it runs.
func (p *Order) displayName(t op.Task) string {
	d := &p.named.display
	for next := op.Task(len(d.tasks)); next <= t; next++ {
		d.tasks = append(d.tasks, displayName{})
		d.name(next, p.runs(next))
	}
	d.name(t, p.runs(t))
	return d.tasks[t].String()
}

// runs returns the function that a task runs, the program's own where a library calls it on a
// goroutine that it has started for that; "" if it is not known.
func (p *Order) runs(t op.Task) string {
	from := &p.named.tasks[t]
	if from.by == op.NoTask {
		return ""
	}
	function := p.function(from.entry)
	if from.entered != 0 {
		return p.named.programs(entry{function, from.entered})
	}
	return function
}

// beginsInLibrary returns the function with which a task begins if it is one of the library that
// executes the go statement, such as net/http for a connection; else "".
func (p *Order) beginsInLibrary(pc uint64, at op.Place) string {
	w, function := p.watch, p.function(pc)
	switch {
	case strings.HasPrefix(function, "sync."): // its go statements are those of its callers
		return function
	case function == "" || at == 0:
		return ""
	}
	starter := cached(&w.display.starters, at, func() string {
		for c := range w.symbols.Calls(w.stacks.addresses(at)) {
			if c.IsOwn() {
				return ""
			}
			return packageOf(op.ShortName(c.Function))
		}
		return ""
	})
	if starter != packageOf(function) {
		return ""
	}
	return function
}

// packageOf returns the package in a short name.
func packageOf(function string) string {
	pkg, _, _ := strings.Cut(function, ".")
	return pkg
}

// noteEntered notes the place of w.op if it shows what the program's own function is that its task
// runs.
func (w *watch) noteEntered() {
	g := w.guest
	w.guest = nil
	if w.op.At != 0 && w.programs(entry{g.library, w.op.At}) != "" {
		w.tasks[g.self].entered, g.library = w.op.At, ""
	}
}

// programs returns the outermost function of the program at a place to which a function of a
// library has led; "" if there is none, or if the calls in between are not all known.
func (w *watch) programs(e entry) string {
	return cached(&w.display.entries, e, func() string {
		own := ""
		for c := range w.symbols.Calls(w.stacks.addresses(e.at)) {
			name := op.ShortName(c.Function)
			if c.IsOwn() {
				own = name
			}
			if name == e.library {
				return own
			}
		}
		return ""
	})
}

// name gives a task a number among those that run a function.
func (d *displayNames) name(t op.Task, function string) {
	if d.tasks[t].function == function {
		return
	}
	if d.count == nil {
		d.count = map[string]int{}
	}
	d.count[function]++
	d.tasks[t] = displayName{function, d.count[function]}
}

func (n displayName) String() string {
	if n.n < 2 {
		return n.function
	}
	return n.function + " #" + strconv.Itoa(n.n)
}
