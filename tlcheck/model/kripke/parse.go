package kripke

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/antichain-go/antichain/tlcheck/source"
	"github.com/bits-and-blooms/bitset"
)

// maxIdle limits states that the text does not mention: a structure may have this many, or as many
// as its text has bytes.
const maxIdle = 1 << 20

// ParseStructure reads an explicit structure, a JSON object:
//
//	{"states":3, "start":0, "labels":[["a"],[],["a","b"]], "succ":[[1,2],[2],[]]}
//
// "labels" has the propositions that are true in each state. Instead, "atoms" may have the states
// of each proposition as a hexadecimal number, {"a":"5"}, in which bit s is state s. "start" may be
// a list. Several processes have "trans" instead of "succ", their moves from state to state:
// {"1":[[0,1]], "2":[[0,2],[1,2]]}. Other keys are ignored. An error is a *source.Error.
func ParseStructure(file string, text []byte) (x *Structure, err error) {
	if err := valid(file, text); err != nil {
		return nil, err
	}
	p := &structureParser{scanner: scanner{file: file, text: text}, at: map[string]int{}}
	err = source.Catch(func() {
		p.object("the structure", func(key string, _ int) {
			p.at[key] = p.off
			p.skip()
		})
		x = p.structure()
	})
	return x, err
}

// structureParser reads the values of a structure in the order of their dependencies.
type structureParser struct {
	scanner
	at     map[string]int // positions of the values by key
	states int
	x      *Structure
}

// find moves to the value of a key, if there is one.
func (p *structureParser) find(key string) bool {
	at, ok := p.at[key]
	if ok {
		p.off = at
	}
	return ok
}

// require moves to the value of a required key.
func (p *structureParser) require(key, hint string) {
	if !p.find(key) {
		p.fail(0, fmt.Sprintf("the structure has no %q", key), hint)
	}
}

func (p *structureParser) structure() *Structure {
	p.require("states", "say how many states it has")
	p.states = p.number(1, min(max(len(p.text), maxIdle), MaxStates), location{"states", -1, -1})
	p.x = &Structure{numbers: map[string]Atom{}}
	p.start()
	p.transitions()
	p.propositions()
	return p.x
}

func (p *structureParser) state(at location) State {
	return State(p.number(0, p.states-1, at))
}

func (p *structureParser) start() {
	p.require("start", "say in which state, or list of states, it starts")
	at := p.off
	if p.next() != '[' {
		p.x.initial = []State{p.state(location{"start", -1, -1})}
		return
	}
	known := make([]bool, p.states)
	p.list(location{"start", -1, -1}, func(i int) {
		if s := p.state(location{"start", i, -1}); !known[s] {
			known[s] = true
			p.x.initial = append(p.x.initial, s)
		}
	})
	if len(p.x.initial) == 0 {
		p.fail(at, `"start" is empty`, "a structure starts in at least one state")
	}
}

func (p *structureParser) transitions() {
	at, succ := p.at["succ"]
	trans := p.find("trans")
	switch {
	case trans && succ:
		p.fail(at, `the structure has both "succ" and "trans"`, `leave "succ" out: it is the union of "trans"`)
	case trans:
		p.trans()
		return
	}
	p.require("succ", `give the successors of each state, or "trans" with the moves of each process`)
	p.x.processes = []string{"1"}
	p.x.moves = p.rows("succ", p.state)
	p.x.process = make([]int32, len(p.x.moves.to))
}

// rows reads a list of lists, one for each state. It drops repetitions within a list.
func (p *structureParser) rows(key string, read func(location) State) rows {
	r := rows{first: make([]int64, 1, p.states+1)}
	var last []int // of each value, the last row with it, counted from 1
	at := p.off
	p.list(location{key, -1, -1}, func(row int) {
		p.list(location{key, row, -1}, func(i int) {
			value := read(location{key, row, i})
			last = append(last, make([]int, max(0, int(value)+1-len(last)))...)
			if last[value] != row+1 {
				last[value] = row + 1
				r.to = append(r.to, value)
			}
		})
		r.first = append(r.first, int64(len(r.to)))
	})
	if len(r.first)-1 != p.states {
		p.fail(at, fmt.Sprintf("%q has %d lists, and there are %d states", key, len(r.first)-1, p.states),
			"give one for each state, [] if it is empty")
	}
	return r
}

// transition is an element of "trans".
type transition struct {
	from, to State
	process  int32
}

func (p *structureParser) trans() {
	var all []transition
	p.object(`"trans"`, func(name string, _ int) {
		process := len(p.x.processes)
		p.x.processes = append(p.x.processes, name)
		p.list(location{"trans." + source.Short(name), -1, -1}, func(i int) {
			all = append(all, p.pair(name, i, int32(process)))
		})
	})
	if len(p.x.processes) == 0 {
		p.fail(p.at["trans"], `"trans" has no process`, "give the moves of at least one")
	}
	p.x.moves, p.x.process = groupMoves(all, p.states)
}

// groupMoves returns the moves of each state without repetitions, grouped by process, and for each
// move the process that makes it.
func groupMoves(all []transition, states int) (moves rows, process []int32) {
	slices.SortStableFunc(all, func(a, b transition) int { return int(a.from) - int(b.from) })
	moves.first = make([]int64, 1, states+1)
	last := make([]int, states) // of each target, its last group of moves of one state and process
	group := 0
	for i, t := range all {
		for len(moves.first) <= int(t.from) {
			moves.first = append(moves.first, int64(len(moves.to)))
		}
		if i == 0 || t.from != all[i-1].from || t.process != all[i-1].process {
			group++
		}
		if last[t.to] != group {
			last[t.to] = group
			moves.to = append(moves.to, t.to)
			process = append(process, t.process)
		}
	}
	for len(moves.first) <= states {
		moves.first = append(moves.first, int64(len(moves.to)))
	}
	return moves, process
}

func (p *structureParser) pair(name string, i int, process int32) transition {
	at := location{"trans." + source.Short(name), i, -1}
	start, n := p.off, 0
	var states [2]State
	p.list(at, func(column int) {
		s := p.state(location{at.key, i, column})
		if n++; column < len(states) {
			states[column] = s
		}
	})
	if n != len(states) {
		p.fail(start, fmt.Sprintf("%s has %d states", at, n), "a move is from one to another, as [0,1]")
	}
	return transition{states[0], states[1], process}
}

// propositions reads "labels" or "atoms". Both are optional.
func (p *structureParser) propositions() {
	at, labels := p.at["labels"]
	atoms := p.find("atoms")
	switch {
	case atoms && labels:
		p.fail(at, `the structure has both "labels" and "atoms"`, "leave one of them out")
	case atoms:
		p.atoms()
	case labels:
		p.off = at
		p.labels()
	default:
		p.x.labels.first = make([]int64, p.states+1)
	}
}

func (p *structureParser) labels() {
	numbers := map[string]State{}
	p.x.labels = p.rows("labels", func(at location) State {
		p.next()
		start := p.off
		name := p.string("what is in a list of \"labels\"")
		if name == "" {
			p.fail(start, at.String()+" is empty", "propositions have names")
		}
		n, ok := numbers[name]
		if !ok {
			n = State(len(p.x.names))
			numbers[name] = n
			p.x.names = append(p.x.names, name)
		}
		return n
	})
}

// atoms reads sets of states as hexadecimal numbers.
func (p *structureParser) atoms() {
	p.x.given = map[string]*bitset.BitSet{}
	p.object(`"atoms"`, func(name string, _ int) {
		at := p.off
		digits := p.string("the set of a proposition")
		words := make([]uint64, (len(digits)+15)/16)
		for i := range digits {
			digit, err := strconv.ParseUint(digits[len(digits)-1-i:len(digits)-i], 16, 4)
			if err != nil {
				p.fail(at, fmt.Sprintf("the set of %s is not a hexadecimal number", source.Short(name)),
					"state s is its bit s")
			}
			words[i/16] |= digit << (i % 16 * 4)
		}
		states := bitset.From(words)
		if beyond, ok := states.NextSet(uint(p.states)); ok {
			p.fail(at, fmt.Sprintf("%s is true in state %d, and there are %d states", source.Short(name),
				beyond, p.states), "")
		}
		p.x.given[name] = states
	})
}
