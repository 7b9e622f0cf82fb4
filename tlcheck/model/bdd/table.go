package bdd

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"weak"
)

// Table has the nodes of functions. Only one goroutine may use it at a time.
type Table struct {
	nodes []node // the first one is the constant true
	// heads of the chains of equal hashes; 0 ends a chain; the length is a power of two
	buckets []uint32
	free    uint32   // head of the list of free nodes; 0 if there is none
	used    int      // nodes that are not free
	cache   []result // results of operations, by hash; the length is a power of two

	// functions that were alive at the last collection, and those made since
	live      []weak.Pointer[Function]
	collectAt int // number of nodes at which a collection is due
	growth    int // collectAt as a multiple of the nodes that survived the last collection
	least     int
	functions int // length of live at which a collection is due

	held      []edge // operands of running operations, which a collection must keep
	renamings edge   // how many were made

	// Watch is called now and then during operations, with the number of nodes. It may be nil.
	Watch func(nodes int)

	ctx   context.Context // that of Within
	steps int             // of all operations so far
}

// node is a choice: low where its variable is false, high where it is true. High is never
// complemented, which makes diagrams unique.
type node struct {
	low, high edge
	// number of the variable, smaller than those below; atEnd for the constant, free for a free
	// node
	level uint32
	next  uint32 // in its chain, or in the list of free nodes
}

// edge leads to a node: twice its number, plus 1 if the function is the complement of the node's.
type edge uint32

const (
	yes edge = 0 // the constants
	no  edge = 1
)

const (
	atEnd = math.MaxUint32
	freed = math.MaxUint32 - 1
)

func (e edge) not() edge { return e ^ 1 }

// result is a cached result of an operation. The third operand distinguishes operations.
type result struct{ f, g, h, is edge }

// Third operands of operations that have only two. No node has such a number.
const (
	andOp    edge = math.MaxUint32
	xorOp    edge = math.MaxUint32 - 1
	renameOp edge = math.MaxUint32 - 2 // the second operand is the number of a renaming
)

// maxNodes is the number of nodes that edges can distinguish.
const maxNodes = 1<<31 - 8

// The initial sizes of a table.
const (
	firstBuckets   = 1 << 10
	firstNodes     = 1 << 20 // at which the first collection is due
	firstFunctions = 1 << 16
)

func New() *Table {
	return &Table{nodes: []node{{level: atEnd}}, buckets: make([]uint32, firstBuckets), used: 1,
		cache:     make([]result, firstBuckets),
		collectAt: firstNodes, growth: 2, least: firstNodes, functions: firstFunctions, ctx: context.Background()}
}

// StoppedError reports that Within ended the work.
type StoppedError struct {
	Nodes int   // of the table at that time
	Cause error // the cause of the context, or ErrNodes
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("%v with %d nodes of decision diagrams", e.Cause, e.Nodes)
}

func (e *StoppedError) Unwrap() error { return e.Cause }

// stopSignal is the value of the panic that ends work in Within.
type stopSignal struct{ cause error }

// Within runs work that uses the table, and ends it when the context ends. The error is a
// *StoppedError.
func (t *Table) Within(ctx context.Context, work func()) (err error) {
	before := t.ctx
	t.ctx = ctx
	defer func() {
		t.ctx = before
		switch p := recover().(type) {
		case nil:
		case stopSignal:
			err = &StoppedError{t.used, p.cause}
		default:
			panic(p)
		}
	}()
	if ctx.Err() != nil {
		return &StoppedError{t.used, context.Cause(ctx)}
	}
	work()
	return nil
}

// stepsBetween is the number of steps between two checks of the context.
const stepsBetween = 1 << 13

func (t *Table) step() {
	if t.steps++; t.steps%stepsBetween != 0 {
		return
	}
	if t.ctx.Err() != nil {
		panic(stopSignal{context.Cause(t.ctx)})
	}
	if t.Watch != nil {
		t.Watch(t.used)
	}
}

// Steps returns how many steps all operations took.
func (t *Table) Steps() int { return t.steps }

func hash(a, b, c uint32) uint32 {
	const odd = 0x9e3779b97f4a7c15
	high, low := bits.Mul64(uint64(a)<<32|uint64(b)^odd, uint64(c)<<1^0xbf58476d1ce4e5b9)
	high, low = bits.Mul64(high^low, odd)
	return uint32(high ^ low)
}

// node returns the unique node with these cofactors; if they are equal, it returns them instead
// (Bryant 1986, §3).
func (t *Table) node(level uint32, low, high edge) edge {
	if low == high {
		return low
	}
	complement := high & 1
	low, high = low^complement, high^complement
	bucket := &t.buckets[hash(level, uint32(low), uint32(high))&uint32(len(t.buckets)-1)]
	for i := *bucket; i != 0; i = t.nodes[i].next {
		if n := &t.nodes[i]; n.level == level && n.low == low && n.high == high {
			return edge(i<<1) | complement
		}
	}
	i := t.allocate()
	t.nodes[i] = node{low, high, level, *bucket}
	*bucket = i
	if t.used++; t.used > len(t.buckets) {
		t.grow()
	}
	return edge(i<<1) | complement
}

// allocate takes a node from the free list, or adds one.
func (t *Table) allocate() uint32 {
	if i := t.free; i != 0 {
		t.free = t.nodes[i].next
		return i
	}
	if len(t.nodes) >= maxNodes {
		panic(stopSignal{ErrNodes})
	}
	t.nodes = append(t.nodes, node{})
	return uint32(len(t.nodes) - 1)
}

// grow doubles the buckets and the cache.
func (t *Table) grow() {
	t.buckets = make([]uint32, 2*len(t.buckets))
	t.chain()
	old := t.cache
	t.cache = make([]result, 2*len(t.cache))
	for _, r := range old {
		*t.cacheSlot(r.f, r.g, r.h) = r
	}
}

// chain puts all nodes into the buckets, which must be empty.
func (t *Table) chain() {
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		if n.level == freed {
			continue
		}
		bucket := &t.buckets[hash(n.level, uint32(n.low), uint32(n.high))&uint32(len(t.buckets)-1)]
		n.next, *bucket = *bucket, uint32(i)
	}
}

// cacheSlot returns the slot of the cache for a result.
func (t *Table) cacheSlot(f, g, h edge) *result {
	return &t.cache[hash(uint32(f), uint32(g), uint32(h))&uint32(len(t.cache)-1)]
}

// collectIfDue collects if that is due. Operations call it before they begin, since a collection
// frees nodes that no Function holds.
func (t *Table) collectIfDue() {
	if t.used >= t.collectAt || len(t.live) >= t.functions {
		t.collect()
	}
}

// marks is a set of nodes, one bit each.
type marks []uint64

func (m marks) has(e edge) bool { return m[e>>7]>>(e>>1&63)&1 == 1 }

// collect frees the nodes that no function needs, and drops cached results about them.
func (t *Table) collect() marks {
	runtime.GC() // clears the weak pointers of unreachable functions
	needed := make(marks, (len(t.nodes)+63)/64)
	needed[0] = 1
	live := t.live[:0]
	for _, w := range t.live {
		if f := w.Value(); f != nil {
			live = append(live, w)
			t.markReachable(needed, f.root)
		}
	}
	for _, e := range t.held {
		t.markReachable(needed, e)
	}
	clear(t.live[len(live):])
	t.live = live
	for i, r := range t.cache {
		about := [...]edge{r.f, r.g, r.h, r.is}
		switch r.h {
		case andOp, xorOp:
			about[2] = yes
		case renameOp:
			about[1], about[2] = yes, yes
		}
		if !needed.has(about[0]) || !needed.has(about[1]) || !needed.has(about[2]) || !needed.has(about[3]) {
			t.cache[i] = result{}
		}
	}
	clear(t.buckets)
	t.free, t.used = 0, 1
	for i := len(t.nodes) - 1; i > 0; i-- {
		if needed.has(edge(i << 1)) {
			t.used++
		} else {
			t.nodes[i] = node{level: freed, next: t.free}
			t.free = uint32(i)
		}
	}
	t.chain()
	t.collectAt = max(t.growth*t.used, t.least)
	t.functions = max(2*len(t.live), firstFunctions)
	return needed
}

// markReachable adds the node of an edge, and all nodes below it.
func (t *Table) markReachable(needed marks, e edge) {
	for !needed.has(e) {
		needed[e>>7] |= 1 << (e >> 1 & 63)
		n := &t.nodes[e>>1]
		t.markReachable(needed, n.low)
		e = n.high
	}
}
