package program

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Construct is a part of Go that random programs use.
type Construct string

// Constructs are all of them, in the order of tables.
var Constructs = []Construct{
	"unbuffered", "buffered", "close", "recover", "len", "select", "poll", "reflect",
	"mutex", "trylock", "rwmutex", "tryrwlock", "handover",
	"library", "waitgroup", "once", "cond", "timer", "afterfunc", "context", "syncmap", "pool", "atomic", "cas", "nested", "token",
	"stream",
}

// idioms make use of a construct.
var idioms = map[Construct]func(*generator){
	"unbuffered": (*generator).unbuffered, "buffered": (*generator).buffered, "close": (*generator).closing, "len": (*generator).lengths,
	"select": (*generator).selecting, "poll": (*generator).polling,
	"mutex": (*generator).mutex, "trylock": (*generator).tryLock, "rwmutex": (*generator).rwMutex, "tryrwlock": (*generator).tryRWLock,
	"handover": (*generator).handover, "waitgroup": (*generator).waitGroup, "once": (*generator).once, "cond": (*generator).cond,
	"timer": (*generator).timer, "afterfunc": (*generator).afterFunc, "context": (*generator).context, "syncmap": (*generator).syncMap,
	"recover": (*generator).recovering, "reflect": (*generator).reflecting, "pool": (*generator).pool,
	"library": (*generator).library,
	"atomic":  (*generator).atomics, "cas": (*generator).compareAndSwap, "nested": (*generator).nesting, "token": (*generator).tokens,
	"stream": (*generator).streams,
}

// all is the WaitGroup for which main waits at its end.
const all = 0

// generator makes a random program. Idioms add parts to goroutines; parts of a goroutine come in
// any order.
type generator struct {
	*rand.Rand
	objects []Object
	begin   []*Stmt     // of main, before it starts the others
	parts   [][][]*Stmt // of each goroutine but main
	marks   int         // so far
	calls   []int       // of the library, that places and goroutines make between other operations
	nested  bool
	reflect bool // select statements are calls of package reflect
	value   int  // latest one that was sent or stored
}

// Generate makes a random program from some constructs. The same random numbers give the same
// program. A program of size 1 is the smallest.
func Generate(r *rand.Rand, size int, constructs ...Construct) *Program {
	g := &generator{Rand: r, objects: []Object{{Kind: WaitGroup}}, nested: slices.Contains(constructs, "nested")}
	g.parts = make([][][]*Stmt, 2+r.IntN(1+min(size, 3)))
	for _, c := range constructs {
		idiom := idioms[c]
		if idiom == nil {
			panic(fmt.Sprintf("no construct %s", c))
		}
		for range 1 + r.IntN(max(size/len(constructs), 1)) {
			idiom(g)
		}
	}
	return g.program()
}

// program puts the parts together.
func (g *generator) program() *Program {
	bodies := make([][]*Stmt, len(g.parts))
	parents, plain := make([]int, len(bodies)), make([]bool, len(bodies))
	for t, parts := range g.parts {
		g.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		bodies[t] = g.decorate(slices.Concat(parts...))
		parents[t] = -1
		if t > 0 && (g.nested || g.oneIn(5)) {
			parents[t] = g.IntN(t)
		}
		// What main does not wait for must not be what starts something that it waits for.
		plain[t] = g.oneIn(8) || parents[t] >= 0 && plain[parents[t]]
	}
	main := g.begin
	for t := len(bodies) - 1; t >= 0; t-- { // the bodies of those that are started come first
		start := &Stmt{Op: Go, Object: all, Body: bodies[t]}
		if plain[t] {
			start.Object = -1
		}
		if parent := parents[t]; parent >= 0 {
			bodies[parent] = slices.Insert(bodies[parent], g.IntN(len(bodies[parent])+1), start)
		} else {
			main = slices.Insert(main, len(g.begin), start)
		}
	}
	return &Program{g.objects, append(main, &Stmt{Op: Wait, Object: all})}
}

// decorate adds marked places, pauses and branches to a list of statements.
func (g *generator) decorate(list []*Stmt) []*Stmt {
	var out []*Stmt
	for _, s := range list {
		if s.Op != Mark && g.IntN(3) == 0 {
			out = g.mark(out, Const(g.IntN(2)))
		}
		if g.IntN(6) == 0 {
			out = append(out, &Stmt{Op: Sleep, N: 1 + g.IntN(2)})
		}
		if len(g.calls) > 0 && g.oneIn(2) {
			out = append(out, &Stmt{Op: Library, N: g.call()})
		}
		if !s.Op.startsTask() {
			for _, b := range s.blocks() {
				if len(*b) > 0 {
					*b = g.decorate(*b)
				}
			}
		}
		out = append(out, s)
		switch {
		case s.Dst == NoVar:
		case g.IntN(4) == 0 && g.marks+2 <= Marks:
			out = append(out, g.branch(s.Dst))
		default:
			out = g.mark(out, Value{Var: s.Dst})
		}
	}
	return g.mark(out, Const(g.IntN(2)))
}

// mark appends a marked place, as long as there are some, and not behind another one.
func (g *generator) mark(list []*Stmt, v Value) []*Stmt {
	if g.marks == Marks || len(list) > 0 && list[len(list)-1].Op == Mark {
		return list
	}
	g.marks++
	s := &Stmt{Op: Mark, N: g.marks - 1, Value: v}
	if len(g.calls) > 0 && g.oneIn(2) {
		s.Then = 1 + g.call()
	}
	return append(list, s)
}

// branch is an If on what an operation has returned.
func (g *generator) branch(on Var) *Stmt {
	s := &Stmt{Op: If, Value: Value{Var: on}, N: g.IntN(3)}
	s.Body = g.mark(nil, Value{Var: on})
	if g.IntN(2) == 0 {
		s.Else = g.mark(nil, Value{Var: on})
	}
	return s
}

// object makes an object and returns its index.
func (g *generator) object(o Object) int {
	g.objects = append(g.objects, o)
	return len(g.objects) - 1
}

// next is a value that was not used yet.
func (g *generator) next() Value {
	g.value++
	return Const(g.value)
}

// dst is one of the variables.
func (g *generator) dst() Var { return A + Var(g.IntN(2)) }

// task is a random goroutine.
func (g *generator) task() int { return g.IntN(len(g.parts)) }

// other is a random goroutine that is another one.
func (g *generator) other(than int) int { return (than + 1 + g.IntN(len(g.parts)-1)) % len(g.parts) }

// add adds a part to a goroutine.
func (g *generator) add(task int, part ...*Stmt) { g.parts[task] = append(g.parts[task], part) }

// nesting has goroutines, which others start, do something.
func (g *generator) nesting() {
	for _, idiom := range []func(*generator){(*generator).unbuffered, (*generator).atomics, (*generator).once} {
		if g.oneIn(2) {
			idiom(g)
		}
	}
}

// oneIn is true once in so many times.
func (g *generator) oneIn(n int) bool { return g.IntN(n) == 0 }
