//go:build unix

package waiting

import (
	"fmt"
	"strings"
)

// support is what all programs of an executable use.
const support = `package main

import (
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

var registry = map[string]any{}

// keep uses objects: what calls it later leads to them until then.
//
//go:noinline
func keep(...any) {}

func pipe() *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	registry["pipe"] = w
	return r
}

func listener() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}

// alone returns an object in a block of its own. Small ones without pointers share one, which all
// of them lead to.
func alone[T any]() *T {
	return &new(struct {
		object T
		_      *int
	}).object
}

var (
	_ http.Handler
	_ sync.Mutex
	_ time.Time
)
`

// printer writes the source of a program.
type printer struct {
	*program
	strings.Builder
	name  string
	line  int         // number of lines so far
	waits map[int]int // tasks, by the lines where they wait
}

// print returns the source of a program as a function, and its tasks by the lines where they wait.
func (p *program) print(name string) (text string, waits map[int]int) {
	w := &printer{program: p, name: name, waits: map[int]int{}}
	for i := range p.objects {
		if p.objects[i].global == inVariable {
			w.add("var %s_o%d %s", name, i, p.objects[i].typeName())
		}
	}
	w.add("func %s() {", name)
	for i := range p.objects {
		w.object(i)
	}
	w.add("ready, start := make(chan bool), make(chan bool)")
	w.add("keep(ready, start)")
	for i := range p.tasks {
		w.task(i)
	}
	w.add("close(start)")
	if p.exits {
		w.add("time.Sleep(20 * time.Millisecond)")
		w.add("os.Exit(0)")
		w.add("keep(%s)", objects(p.mainHas))
	}
	w.add("}")
	return w.String(), w.waits
}

func (w *printer) add(format string, args ...any) {
	fmt.Fprintf(w, format+"\n", args...)
	w.line++
}

func (o *object) typeName() string {
	switch o.sort {
	case channel:
		return "chan int"
	case mutex:
		return "*sync.Mutex"
	case rwMutex:
		return "*sync.RWMutex"
	case group:
		return "*sync.WaitGroup"
	case cond:
		return "*sync.Cond"
	}
	return "*sync.Once"
}

// object makes an object.
func (w *printer) object(i int) {
	o := &w.objects[i]
	switch o.sort {
	case channel:
		w.add("o%d := make(chan int, %d)", i, o.room)
		for range o.room {
			if o.sending {
				w.add("o%d <- 0", i)
			}
		}
	case cond:
		w.add("o%d := sync.NewCond(new(sync.Mutex))", i)
	default:
		w.add("o%d := alone[%s]()", i, o.typeName()[1:])
	}
	if o.sort == group {
		w.add("o%d.Add(1)", i)
	}
	switch o.global {
	case inVariable:
		w.add("%s_o%d = o%d", w.name, i, i)
	case inMap:
		w.add("registry[\"%s_o%d\"] = o%d", w.name, i, i)
	}
	w.add("keep(o%d)", i)
}

// objects lists objects as arguments.
func objects(all []int) string {
	var names []string
	for _, i := range all {
		names = append(names, fmt.Sprint("o", i))
	}
	return strings.Join(names, ", ")
}

// task starts a task, which takes its locks before main goes on.
func (w *printer) task(i int) {
	t := &w.tasks[i]
	if t.fate == timer {
		w.add("time.AfterFunc(time.Hour, func() { keep(%s) })", objects(t.has))
		return
	}
	w.add("go func() {")
	w.locks(i)
	functions := w.onces(i)
	w.add("ready <- true")
	w.add("<-start")
	w.body(i, t)
	for range functions {
		w.add("})")
	}
	w.add("}()")
	w.add("<-ready")
}

// locks takes the locks that a task holds.
func (w *printer) locks(by int) {
	for i, o := range w.objects {
		switch {
		case o.holder != by || o.sort == once:
		case o.shared:
			w.add("o%d.RLock()", i)
		default:
			w.add("o%d.Lock()", i)
		}
	}
}

// onces begins functions that a task runs as those of a Once, and returns how many.
func (w *printer) onces(by int) (n int) {
	for i, o := range w.objects {
		if o.holder == by && o.sort == once {
			w.add("o%d.Do(func() {", i)
			n++
		}
	}
	return n
}

// body is what a task does at the end.
func (w *printer) body(i int, t *task) {
	later := fmt.Sprintf("keep(%s)", objects(t.has))
	switch {
	case t.fate == ends:
		return
	case t.form == inSlice && len(t.has) > 0:
		w.add("all := []any{%s}", objects(t.has))
		later = "keep(all...)"
	case t.form == inClosure:
		w.add("later := func() { %s }", later)
		later = "later()"
	}
	switch t.fate {
	case waits:
		w.wait(i, t)
		w.add("%s", later)
	case ticks:
		w.add("for range time.NewTicker(time.Millisecond).C {\n%s\n}", later)
		w.line += 2
	case sleeps:
		w.add("time.Sleep(time.Hour)\n%s", later)
		w.line++
	case reads:
		w.add("pipe().Read(make([]byte, 1))\n%s", later)
		w.line++
	case accepts:
		w.add("listener().Accept()\n%s", later)
		w.line++
	case serves:
		w.add("http.Serve(listener(), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { %s }))", later)
	}
}

// wait is the line where a task waits.
func (w *printer) wait(i int, t *task) {
	o, of := t.on[0], &w.objects[t.on[0]]
	switch {
	case len(t.on) > 1:
		defer w.cases(t)
	case of.sort == cond:
		w.add("o%d.L.Lock()", o)
	}
	w.waits[w.line+1] = i
	switch {
	case len(t.on) > 1:
		w.add("select {")
	case of.sort == channel && of.sending:
		w.add("o%d <- 1", o)
	case of.sort == channel:
		w.add("<-o%d", o)
	case of.sort == once:
		w.add("o%d.Do(func() {})", o)
	case t.reads:
		w.add("o%d.RLock()", o)
	case of.sort == mutex || of.sort == rwMutex:
		w.add("o%d.Lock()", o)
	default:
		w.add("o%d.Wait()", o)
	}
}

func (w *printer) cases(t *task) {
	for _, o := range t.on {
		if w.objects[o].sending {
			w.add("case o%d <- 1:", o)
		} else {
			w.add("case <-o%d:", o)
		}
	}
	w.add("}")
}
