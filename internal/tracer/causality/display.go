package causality

import (
	"strconv"
	"strings"

	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/internal/tracer/site"
	"github.com/antichain-go/antichain/tracer/op"
)

// displayNames are what reports call tasks: the function that a task runs, and the number of the
// task among those that run it if it is not the first. They are made when they are asked for, in
// the order in which the tasks were started.
type displayNames struct {
	tasks sparse.Table[displayName]
	named op.Task           // the first task without a name
	count map[string]int    // tasks with a name
	taken map[string]string // names of functions, by what reports call them

	starters map[op.Place]string // packages of libraries that execute a go statement
	entries  map[entry]called    // functions of the program that a library calls
}

// entry is a place to which a function of a library has led.
type entry struct {
	library string
	at      op.Place
}

// called is a function that a library calls.
type called struct {
	function string // with the path of its package; "" if it is not known
	exactly  bool   // all calls between the two are known; else others may lie between them
}

type displayName struct {
	function string // its name with the path of its package
	text     string // what reports call it
	n        int
}

// displayName returns what reports call a task, "" if no function is known that it runs.
func (p *Order) displayName(t op.Task) string {
	d := &p.named.display
	p.nameUpTo(t)
	d.name(t, p.runs(t))
	return d.tasks.Ensure(int(t)).String()
}

// nameUpTo gives a name to each task up to t, in their order.
func (p *Order) nameUpTo(t op.Task) {
	for d := &p.named.display; d.named <= t; d.named++ {
		d.name(d.named, p.runs(d.named))
	}
}

// DisplayName returns what reports call a goroutine, which is its TaskName if operations are not
// watched.
func (p *Order) DisplayName(ctx uint64) string {
	if t := p.TaskOf(ctx); t != op.NoTask {
		return p.Task(t).DisplayName()
	}
	return p.TaskName(ctx)
}

// IsTaskName reports whether a word is what reports call a task, or begins such a name: all but the
// first task of a function have a number behind it.
func (p *Order) IsTaskName(word string) bool {
	return p.named != nil && p.named.display.count[word] > 0
}

// runs returns the function that a task runs, with the path of its package: the program's own where
// a library calls it on a goroutine that it has started for that; "" if it is not known.
func (p *Order) runs(t op.Task) string {
	from := p.named.tasks.at(t)
	if from.by == op.NoTask {
		return ""
	}
	function := p.function(from.entry)
	if from.entered != 0 {
		return p.named.programs(entry{function.short, from.entered}).function
	}
	return function.path
}

// beginsInLibrary returns the function with which a task begins if it is one of the library that
// executes the go statement, such as net/http for a connection, or one that the compiler has made
// for a go statement; else "".
func (p *Order) beginsInLibrary(pc uint64, at op.Place) string {
	w, function := p.watch, p.function(pc).short
	switch {
	case strings.HasPrefix(function, "sync."): // its go statements are those of its callers
		return function
	case strings.Contains(function, ".gowrap"): // it calls a function value with arguments
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
// runs, or so far shows it best.
func (w *watch) noteEntered() {
	g := w.guest
	w.guest = nil
	if w.op.At == 0 {
		return
	}
	task := w.tasks.at(g.self)
	switch runs := w.programs(entry{g.library, w.op.At}); {
	case runs.function == "":
	case runs.exactly:
		task.entered, g.library = w.op.At, ""
	case task.entered == 0:
		task.entered = w.op.At
	}
}

// programs returns the outermost function of the program that is known at a place to which a
// function of a library has led.
func (w *watch) programs(e entry) called {
	return cached(&w.display.entries, e, func() called {
		own := ""
		for c := range w.symbols.Calls(w.stacks.addresses(e.at)) {
			if op.ShortName(c.Function) == e.library {
				return called{own, true}
			}
			if c.IsOwn() {
				own = c.Function
			}
		}
		return called{own, false}
	})
}

// name gives a task a number among those that run a function.
func (d *displayNames) name(t op.Task, function string) {
	at := d.tasks.Ensure(int(t))
	if at.function == function {
		return
	}
	if d.count == nil {
		d.count, d.taken = map[string]int{MainTask: 1, envName: 1}, map[string]string{}
	}
	text := d.call(site.PlainFunction(function))
	d.count[text]++
	*at = displayName{function, text, d.count[text]}
}

// call returns what reports call a function, with as much of the path of its package as it takes
// that no other function is called so.
func (d *displayNames) call(function string) string {
	text, path := op.DisplayFunction(function), len(function)
	for {
		if of, ok := d.taken[text]; !ok || of == function || path < 0 {
			d.taken[text] = function
			return text
		}
		path = strings.LastIndexByte(function[:path], '/')
		text = function[path+1:]
	}
}

func (n displayName) String() string {
	if n.n < 2 {
		return n.text
	}
	return n.text + " #" + strconv.Itoa(n.n)
}
