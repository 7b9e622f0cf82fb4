package view

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"slices"
	"unicode/utf8"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/report"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// Run is the whole order of a run.
type Run struct {
	Name   string `json:"name"`
	Events int    `json:"events"`
	Tasks  int    `json:"tasks"`
	Word   string `json:"word,omitempty"` // noun for the tasks; "" for goroutines
	Note   string `json:"note,omitempty"` // limitations of the run

	// Data is, compressed by gzip, the length of a runHead (4 bytes, little-endian), that head in
	// JSON, and columns. Each column has a number for every event in the recorded order, as
	// variable-length integers, preceded by the length of all in bytes:
	//
	//	the task
	//	the site
	//	the object, a string
	//	1 if the event is a side of the same joint action as the one before it, else 0
	//	the stack of functions after it
	//	the locks that its task holds after it
	//	the number of events of other tasks directly before it; for each the task, and how many
	//	    events of that task lie between, both included
	//	the number of variables that it sets; for each twice its number, plus 1 if its value is a
	//	    string: that string, else the difference to the last number that the variable had, with
	//	    the sign in the lowest bit
	Data []byte `json:"data"`

	Files []*File `json:"files,omitempty"`

	places []string // positions of events
}

// runHead has the tables for the numbers in the columns of a run.
type runHead struct {
	Strings []string  `json:"strings"` // 0 is ""
	Tasks   []runTask `json:"tasks"`
	Sites   [][4]int  `json:"sites"` // operation, position, function entered, function left
	// the stack below the innermost function, the function, its phase; 0 is empty
	Stacks [][3]int  `json:"stacks"`
	Locks  [][]int   `json:"locks"` // 0 is none
	Names  []runName `json:"names"` // of variables
}

type runTask struct {
	Name   int `json:"n"`
	Kind   int `json:"k,omitempty"` // goroutines of a kind run the same function
	By     int `json:"b,omitempty"` // the goroutine that started it, from 1
	Origin int `json:"o,omitempty"` // the position of the go statement
	Runs   int `json:"f,omitempty"` // the function that it runs
}

type runName struct {
	Name   int  `json:"n"`
	Global bool `json:"g,omitempty"` // not a variable of a function
}

// maxText limits the characters of a text from a trace.
const maxText = 1000

// text makes a text from a trace printable.
func text(s string) string {
	if len(s) > maxText {
		cut := maxText
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return event.Printable(s)
}

// RunOf returns the order of a run with this name.
func RunOf(name string, net *san.Net) *Run {
	e := newRunEncoder(net)
	count := make([]int32, net.Tasks())
	for _, t := range net.Recorded(0) {
		count[t]++
		e.event(san.Action{Task: t, K: count[t]}, count)
	}
	r := &Run{Name: text(name), Word: taskWord(net), Events: net.Events(), Tasks: net.Tasks(), Data: e.compress()}
	if lost := net.Lost(); lost > 0 {
		r.Note = "Events before these are not kept."
	}
	for _, s := range e.sites.values {
		if at := e.strings.values[s[1]]; at != "" {
			r.places = append(r.places, at)
		}
	}
	return r
}

// taskWord returns the noun for tasks that are no goroutines: those of services, whose logs have no
// common order; otherwise "".
func taskWord(net *san.Net) string {
	if net.Header().Unordered {
		return "task"
	}
	return ""
}

// AddSource adds the lines of the program's source at the events' positions.
func (r *Run) AddSource(source report.Source) { r.Files = filesOf(r.places, source) }

// maxNumber limits numbers and differences to those that JavaScript computes exactly.
const maxNumber = 1 << 52

// table numbers values from 0.
type table[T comparable] struct {
	values []T
	number map[T]int
}

func newTable[T comparable](first T) *table[T] { return &table[T]{[]T{first}, map[T]int{first: 0}} }

func (t *table[T]) of(x T) int {
	n, ok := t.number[x]
	if !ok {
		n = len(t.values)
		t.number[x] = n
		t.values = append(t.values, x)
	}
	return n
}

// runEncoder makes the columns of a run.
type runEncoder struct {
	net      *san.Net
	sections *event.Sections
	strings  *table[string]
	sites    *table[[4]int]
	stacks   *table[[3]int]
	names    *table[runName]

	locks    *table[string] // by the text of an element of lockSets
	lockSets [][]int
	holders  map[int]san.Task // holder of each lock

	now     []taskState
	last    map[int]int64 // last number of each variable
	columns [8][]byte
	tasks   []runTask
	joint   san.Action // action of the event before
}

func newRunEncoder(net *san.Net) *runEncoder {
	e := &runEncoder{
		net: net, sections: net.Sections(), strings: newTable(""), sites: newTable([4]int{}),
		stacks: newTable([3]int{}), locks: newTable(""),
		names: newTable(runName{}), lockSets: [][]int{{}}, now: make([]taskState, net.Tasks()),
		holders: map[int]san.Task{}, last: map[int]int64{},
	}
	for t := range e.now {
		e.begin(san.Task(t))
	}
	return e
}

type taskState struct {
	stack int
	held  []int
}

// begin adds a task.
func (e *runEncoder) begin(t san.Task) {
	task := runTask{Name: e.string(e.net.Name(t))}
	if by, info, ok := e.net.Origin(t); ok {
		task.Kind, task.Origin = e.string(op.DisplayFunction(info.Obj)+" started at "+info.At), e.string(info.At)
		task.Runs = e.string(report.GivenName(info.Obj))
		if parent, ok := e.net.Parent(t); ok {
			task.By = int(parent) + 1
		}
		if info.Obj == "" && info.At == "" {
			task.Kind = e.string("started by " + by)
		}
	}
	e.tasks = append(e.tasks, task)
	for _, f := range e.net.Walk(t).State().Stack() {
		e.now[t].stack = e.stacks.of([3]int{e.now[t].stack, e.string(f.Func), int(f.Phase)})
	}
}

func (e *runEncoder) string(s string) int {
	if s == "" {
		return 0
	}
	return e.strings.of(text(s))
}

func (e *runEncoder) put(column int, n int) {
	e.columns[column] = binary.AppendUvarint(e.columns[column], uint64(n))
}

// event adds an event. count has the number of events added of each task.
func (e *runEncoder) event(a san.Action, count []int32) {
	info := e.net.Event(a)
	now := &e.now[a.Task]
	now.stack = e.stackAfter(now.stack, info)
	e.put(0, int(a.Task))
	e.put(1, e.sites.of([4]int{e.string(info.Op), e.string(info.At), e.string(info.Enter), e.string(info.Exit)}))
	e.put(2, e.string(info.Obj))
	e.joints(a)
	e.put(4, now.stack)
	e.hold(a.Task, info)
	e.put(5, e.lockSet(now.held))
	e.causes(a, count)
	e.bindings(a)
}

// stackAfter returns the stack after an event: see san.State.
func (e *runEncoder) stackAfter(stack int, info san.Info) int {
	if top := e.stacks.values[stack]; stack != 0 && san.Phase(top[2]) == san.Term {
		stack = top[0]
	}
	if top := e.stacks.values[stack]; stack != 0 && san.Phase(top[2]) == san.Start {
		stack = e.stacks.of([3]int{top[0], top[1], int(san.In)})
	}
	if info.Enter != "" {
		stack = e.stacks.of([3]int{stack, e.string(info.Enter), int(san.Start)})
	}
	if top := e.stacks.values[stack]; stack != 0 && info.Exit != "" {
		stack = e.stacks.of([3]int{top[0], top[1], int(san.Term)})
	}
	return stack
}

// joints records whether an event is a side of the action of the event before it.
func (e *runEncoder) joints(a san.Action) {
	same := 0
	if first := e.net.Canonical(a); first == e.joint {
		same = 1
	} else {
		e.joint = first
	}
	e.put(3, same)
}

// hold updates the locks that tasks hold.
func (e *runEncoder) hold(t san.Task, info san.Info) {
	if info.Obj == "" {
		return
	}
	does := e.sections.Of(info.Op, info.Obj)
	lock := e.string(heldAs(info.Obj, does))
	switch holder, ok := e.holders[lock]; {
	case does.Begins:
		e.now[t].held = append(e.now[t].held, lock)
		e.holders[lock] = t
	case does.Ends && does.Reads:
		e.now[t].held = without(e.now[t].held, lock)
	case does.Ends && ok: // the holder need not be the task that unlocks
		e.now[holder].held = without(e.now[holder].held, lock)
	}
}

// heldAs returns the name of a lock among those that a task holds.
func heldAs(lock string, does event.Section) string {
	if does.Reads {
		return lock + " for reading"
	}
	return lock
}

// without removes the last element that is x.
func without[T comparable](list []T, x T) []T {
	for i, y := range slices.Backward(list) {
		if y == x {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

func (e *runEncoder) lockSet(held []int) int {
	if len(held) == 0 {
		return 0
	}
	var key []byte
	for _, l := range held {
		key = binary.AppendUvarint(key, uint64(l))
	}
	n := e.locks.of(string(key))
	if n == len(e.lockSets) {
		e.lockSets = append(e.lockSets, append([]int(nil), held...))
	}
	return n
}

// causes adds the direct predecessors of a in other tasks.
func (e *runEncoder) causes(a san.Action, count []int32) {
	var causes []san.Action
	if a.K == 1 {
		if by, ok := e.net.SpawnedBy(a.Task); ok && by.K > 0 {
			causes = append(causes, by)
		}
	}
	for _, c := range e.net.Causes(a) {
		if c.Task != a.Task {
			causes = append(causes, c)
		}
	}
	e.put(6, len(causes))
	for _, c := range causes {
		e.put(6, int(c.Task))
		e.put(6, int(max(count[c.Task]-c.K, 0)))
	}
}

// bindings adds the variables that an event sets.
func (e *runEncoder) bindings(a san.Action) {
	local, global := e.net.Bindings(a)
	e.put(7, len(local)+len(global))
	for i, b := range append(local[:len(local):len(local)], global...) {
		name := e.names.of(runName{e.string(b.Name), i >= len(local)})
		if v := b.Value; v.Kind() != event.Int || v.Int() > maxNumber || v.Int() < -maxNumber {
			e.put(7, 2*name+1)
			e.put(7, e.string(b.Value.String()))
			continue
		}
		e.put(7, 2*name)
		e.columns[7] = binary.AppendVarint(e.columns[7], b.Value.Int()-e.last[name])
		e.last[name] = b.Value.Int()
	}
}

// compress returns the data of the run.
func (e *runEncoder) compress() []byte {
	head, err := json.Marshal(runHead{e.strings.values, e.tasks, e.sites.values, e.stacks.values, e.lockSets,
		e.names.values})
	if err != nil {
		panic(err) // there are only strings and numbers
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is valid
	}
	write := func(p []byte) { _, _ = z.Write(p) } // a buffer never fails
	write(binary.LittleEndian.AppendUint32(nil, uint32(len(head))))
	write(head)
	for _, c := range e.columns {
		write(binary.LittleEndian.AppendUint32(nil, uint32(len(c))))
		write(c)
	}
	_ = z.Close()
	return b.Bytes()
}

// stackTexts returns the functions on a stack, for people.
func stackTexts(stack []san.Frame) []string {
	texts := make([]string, len(stack))
	for i, f := range stack {
		texts[i] = text(f.Func) + [...]string{" (just entered)", "", " (just left)"}[f.Phase]
	}
	return texts
}
