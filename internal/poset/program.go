package poset

import (
	"context"
	"encoding/binary"
	"math/big"
	"math/bits"
	stdslices "slices"
)

// stateSize is the number of bytes of a state in two tables, each with up to four index entries for
// a state.
func (p *program) stateSize() int { return 2 * (8*(p.keyWords+p.valueSize()) + 4*4) }

func (p *program) valueSize() int { return p.counts * p.countWords }

// table counts, for each state, the decisions about the nodes so far that lead to it. There is one
// count for each set of assigned roles (roles.go), or a single one without roles.
type table struct {
	*program
	keys   []uint64
	values []uint64 // lowest word first
	index  []int32  // hash table of the states, from 1; 0 is free
	size   int
}

// reset empties the table and makes room for n states.
func (t *table) reset(n int) {
	t.keys, t.values, t.size = t.keys[:0], t.values[:0], 0
	places := 1 << bits.Len(uint(2*n))
	if cap(t.index) < places {
		t.index = make([]int32, places)
		return
	}
	t.index = t.index[:places]
	clear(t.index)
}

func (t *table) key(i int) []uint64 { return t.keys[i*t.keyWords : (i+1)*t.keyWords] }

func (t *table) value(i int) []uint64 {
	size := t.valueSize()
	return t.values[i*size : (i+1)*size]
}

// outcome is the result of a sweep.
type outcome int

const (
	counted  outcome = iota
	tooMany          // states, or ctx has ended
	overflow         // of a count
)

// add adds the terms of value to the counts of a state. It drops the state if it would exceed
// limit.
func (t *table) add(key, value []uint64, terms []term, limit int) outcome {
	at := hash(key) & uint64(len(t.index)-1)
	for ; t.index[at] != 0; at = (at + 1) & uint64(len(t.index)-1) {
		if i := int(t.index[at] - 1); stdslices.Equal(t.key(i), key) {
			return t.addTerms(t.value(i), value, terms)
		}
	}
	if t.size == limit {
		return tooMany
	}
	t.size++
	t.index[at] = int32(t.size)
	t.keys = append(t.keys, key...)
	if t.counts == 1 && terms[0].times == 1 { // a plain copy
		t.values = append(t.values, value...)
		return counted
	}
	t.values = upTo(t.size*t.valueSize(), t.values)
	return t.addTerms(t.value(t.size-1), value, terms)
}

// addTerms adds the terms of value to sum.
func (p *program) addTerms(sum, value []uint64, terms []term) outcome {
	for _, x := range terms {
		from, to := int(x.from)*p.countWords, int(x.to)*p.countWords
		if !addTimes(sum[to:to+p.countWords], value[from:from+p.countWords], x.times) {
			return overflow
		}
	}
	return counted
}

// upTo returns words with zeros behind them up to that length.
func upTo(n int, words []uint64) []uint64 {
	from := len(words)
	words = stdslices.Grow(words, n-from)[:n]
	clear(words[from:])
	return words
}

func hash(key []uint64) uint64 {
	h := uint64(0)
	for _, w := range key {
		hi, lo := bits.Mul64(h^w^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	return h
}

// addTimes adds times·v to sum. It reports false on overflow.
func addTimes(sum, v []uint64, times uint64) bool {
	var carry uint64
	if times == 1 { // the usual case
		for i, w := range v {
			sum[i], carry = bits.Add64(sum[i], w, carry)
		}
		return carry == 0
	}
	for i, w := range v {
		hi, lo := bits.Mul64(w, times)
		lo, c := bits.Add64(lo, carry, 0)
		hi += c
		sum[i], c = bits.Add64(sum[i], lo, 0)
		carry = hi + c
	}
	return carry == 0
}

// run returns the counts of all ideals. If there are more than limit states at a time, it returns
// false or, with drop, drops the last states. On overflow it starts again with longer counts.
func (p *program) run(ctx context.Context, limit int, drop bool) ([]*big.Int, bool) {
	for {
		n, how := p.attempt(ctx, limit, drop)
		if how != overflow {
			return n, how == counted
		}
		p.countWords *= 2
	}
}

func (p *program) attempt(ctx context.Context, limit int, drop bool) ([]*big.Int, outcome) {
	limit = max(1, min(limit, stateBytes/p.stateSize()))
	now, next := &table{program: p}, &table{program: p}
	now.reset(1)
	one := make([]uint64, p.valueSize())
	one[0] = 1
	now.add(make([]uint64, p.keyWords), one, p.same, 1)
	for i := range p.steps { // each step may copy some megabytes
		if ctx.Err() != nil {
			return nil, tooMany
		}
		next.reset(min(2*now.size, limit))
		if how := next.take(ctx, &p.steps[i], now, limit); how == overflow || how == tooMany && !drop {
			return nil, how
		}
		now, next = next, now
	}
	return now.sum(), counted
}

// sum returns the counts when no node is active any more. Then there is one state, or none if no
// ideal counts.
func (t *table) sum() []*big.Int {
	all := make([]*big.Int, t.counts)
	for i := range all {
		all[i] = new(big.Int)
		if t.size > 0 {
			all[i] = bigInt(t.value(0)[i*t.countWords : (i+1)*t.countWords])
		}
	}
	return all
}

// take performs one step. Of the two successors of a state, the one with the node comes first.
// Therefore the first state has all nodes so far in the ideal, and is not dropped.
func (t *table) take(ctx context.Context, s *step, from *table, limit int) outcome {
	key := make([]uint64, t.keyWords)
	worst := counted
	for i := range from.size {
		if i&0xff == 0xff && ctx.Err() != nil {
			return tooMany
		}
		state, value := from.key(i), from.value(i)
		open := s.chain.of(state) == s.active
		if open && len(s.with) > 0 && allIn(s.needs, state) {
			copy(key, state)
			s.chain.add(key, 1)
			s.forget(key)
			worst = max(worst, t.add(key, value, s.with, limit))
		}
		terms := t.same
		if open {
			terms = s.without
		}
		if len(terms) == 0 || anyIn(s.forces, state) {
			continue
		}
		copy(key, state)
		s.forget(key)
		worst = max(worst, t.add(key, value, terms, limit))
	}
	return worst
}

// forget removes the nodes that are no longer active from a state.
func (s *step) forget(key []uint64) {
	for i := range s.drops {
		if d := &s.drops[i]; d.isIn(key) {
			d.add(key, ^uint64(0)) // subtracts 1
		}
	}
}

func allIn(places []place, key []uint64) bool {
	for i := range places {
		if !places[i].isIn(key) {
			return false
		}
	}
	return true
}

func anyIn(places []place, key []uint64) bool {
	for i := range places {
		if places[i].isIn(key) {
			return true
		}
	}
	return false
}

func bigInt(words []uint64) *big.Int {
	var b []byte
	for i := len(words) - 1; i >= 0; i-- {
		b = binary.BigEndian.AppendUint64(b, words[i])
	}
	return new(big.Int).SetBytes(b)
}
