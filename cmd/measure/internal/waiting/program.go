//go:build unix

package waiting

import (
	"math/rand/v2"
	"slices"
)

// program is one whose tasks take locks, and then wait, end or go on all at once. Main starts them,
// and ends the program.
type program struct {
	objects []object
	tasks   []task
	exits   bool  // main calls os.Exit, while it leads to some objects; else it returns
	mainHas []int // these objects
}

// object is what tasks wait for.
type object struct {
	sort
	room    int  // of a channel, full where tasks wait to send
	sending bool // they do
	global  place
	holder  int  // the task that has locked it, or runs its function; none if negative
	shared  bool // the holder has locked it for reading
}

type sort int

const (
	channel sort = iota
	mutex
	rwMutex
	group
	cond
	once
	sorts
)

// place is where the program keeps an object, beside its stacks.
type place int

const (
	nowhere place = iota
	inVariable
	inMap // of a package variable
)

// task is a goroutine, or a function that a timer will start.
type task struct {
	fate
	on    []int // the objects that it waits for: several channels in a select statement
	reads bool  // it waits to read
	has   []int // objects that it would use later
	form        // in which it has them
}

// fate is what a task does at the end.
type fate int

const (
	waits fate = iota
	ends
	ticks
	sleeps
	reads
	accepts
	serves
	timer
	fates
)

// form is how a stack leads to objects.
type form int

const (
	directly form = iota
	inSlice
	inClosure
	forms
)

// goesOn reports whether a task goes on by itself.
func (f fate) goesOn() bool { return f != waits && f != ends }

// draw makes a program.
func draw(r *rand.Rand) *program {
	p := new(program)
	for range 1 + r.IntN(4) {
		o := object{room: r.IntN(3), sending: r.IntN(2) == 0, holder: -1}
		o.sort = max(channel, sort(r.IntN(int(sorts)+2)-2)) // several make a select statement
		o.global = []place{nowhere, nowhere, nowhere, nowhere, inVariable, inMap}[r.IntN(6)]
		p.objects = append(p.objects, o)
	}
	tasks := 1 + r.IntN(6)
	for i, o := range p.objects {
		if o.isHeld() && r.IntN(4) > 0 {
			p.objects[i].holder = r.IntN(tasks)
			p.objects[i].shared = o.sort == rwMutex && r.IntN(2) == 0
		}
	}
	for i := range tasks {
		p.tasks = append(p.tasks, p.drawTask(r, i))
	}
	if p.exits = r.IntN(4) == 0; p.exits {
		p.mainHas = p.drawObjects(r)
	}
	return p
}

func (o *object) isHeld() bool { return o.sort == mutex || o.sort == rwMutex || o.sort == once }

func (p *program) drawTask(r *rand.Rand, i int) task {
	t := task{fate: fate(r.IntN(int(fates))), has: p.drawObjects(r), form: form(r.IntN(int(forms)))}
	if r.IntN(2) == 0 {
		t.fate = waits
	}
	if t.fate == waits && !p.drawWait(r, &t) {
		t.fate = ends
	}
	holds := func(o object) bool { return o.holder == i }
	runs := func(o object) bool { return o.holder == i && o.sort == once }
	hasBegun, isInFunction := slices.ContainsFunc(p.objects, holds), slices.ContainsFunc(p.objects, runs)
	if t.fate == timer && hasBegun || t.fate == ends && isInFunction {
		t.fate = sleeps
	}
	return t
}

// drawObjects draws what a task leads to.
func (p *program) drawObjects(r *rand.Rand) []int {
	var has []int
	for i := range p.objects {
		if r.IntN(5) == 0 {
			has = append(has, i)
		}
	}
	return has
}

// drawWait draws what a task waits for. It reports false where that does not make it wait.
func (p *program) drawWait(r *rand.Rand, t *task) bool {
	i := r.IntN(len(p.objects))
	o := &p.objects[i]
	if o.isHeld() && o.holder < 0 {
		return false
	}
	t.on = []int{i}
	t.reads = o.sort == rwMutex && !o.shared && r.IntN(2) == 0
	if o.sort == channel && r.IntN(2) == 0 {
		for j := range p.objects {
			if j != i && p.objects[j].sort == channel {
				t.on = append(t.on, j)
			}
		}
	}
	return true
}

// waitKinds are the kinds of waits, in the order of the table.
var waitKinds = []string{"receive", "send", "select", "Mutex", "RWMutex", "WaitGroup", "Cond", "Once"}

// kindOf returns the kind of a task's wait.
func (p *program) kindOf(i int) string {
	t := &p.tasks[i]
	o := &p.objects[t.on[0]]
	switch {
	case o.sort != channel:
		return map[sort]string{mutex: "Mutex", rwMutex: "RWMutex", group: "WaitGroup", cond: "Cond",
			once: "Once"}[o.sort]
	case len(t.on) > 1:
		return "select"
	case o.sending:
		return "send"
	}
	return "receive"
}

// endless returns the tasks whose waits none that goes on can end, if it may use all that it leads
// to, but does not unlock what others have locked. If only main could go on, but for its exit, it
// uses no package variables.
func (p *program) endless() map[int]bool {
	endless, alone := map[int]bool{}, true
	fromStacks := p.reached(false)
	for i, t := range p.tasks {
		endless[i] = t.fate == waits
		alone = alone && !t.goesOn() && !(p.exits && endless[i] && fromStacks[i] && !p.objects[t.on[0]].isHeld())
	}
	if alone {
		return endless
	}
	reached := p.reached(true)
	for again := true; again; {
		again = false
		for i, t := range p.tasks {
			if !endless[i] || !reached[i] {
				continue
			}
			o := &p.objects[t.on[0]]
			isLocked := o.isHeld() && (endless[o.holder] || p.tasks[o.holder].fate == ends)
			if !isLocked {
				endless[i], again = false, true
			}
		}
	}
	return endless
}

// reached returns the tasks that something leads to: a task that goes on, main if it calls os.Exit,
// a task that is reached itself, or a package variable if these count.
func (p *program) reached(variables bool) map[int]bool {
	reached, marked := map[int]bool{}, map[int]bool{}
	mark := func(objects []int) {
		for _, o := range objects {
			marked[o] = true
		}
	}
	mark(p.mainHas)
	for i, o := range p.objects {
		marked[i] = marked[i] || variables && o.global != nowhere
	}
	for again := true; again; {
		again = false
		for i, t := range p.tasks {
			isMarked := func(o int) bool { return marked[o] }
			if reached[i] || !t.goesOn() && !(t.fate == waits && slices.ContainsFunc(t.on, isMarked)) {
				continue
			}
			reached[i], again = true, true
			mark(t.on)
			mark(t.has)
			for j, o := range p.objects {
				marked[j] = marked[j] || o.sort == once && o.holder == i
			}
		}
	}
	return reached
}
