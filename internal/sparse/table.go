package sparse

import "iter"

// Block is how many indices of a Table are dropped together.
const Block = 64

// Table has a value at each index, from 0 on as far as Ensure was asked. Blocks that were dropped
// take next to no memory.
type Table[V any] struct {
	shelves []*shelf[V]
	recent  *[Block]V // the block that Ensure has found last, nil if there is none
	index   uint      // of recent, among all blocks
}

// shelf has the blocks of shelfSize indices, nil where there is none.
type shelf[V any] [shelfBlocks]*[Block]V

const (
	shelfBlocks = 32
	shelfSize   = shelfBlocks * Block
)

// At returns the value at an index, nil if there is none.
func (t *Table[V]) At(i int) *V {
	if t.recent != nil && uint(i)/Block == t.index {
		return &t.recent[uint(i)%Block]
	}
	return t.find(i)
}

func (t *Table[V]) find(i int) *V {
	if uint(i)/shelfSize >= uint(len(t.shelves)) {
		return nil
	}
	s := t.shelves[uint(i)/shelfSize]
	if s == nil {
		return nil
	}
	b := s[uint(i)/Block%shelfBlocks]
	if b == nil {
		return nil
	}
	return &b[uint(i)%Block]
}

// Ensure returns the value at an index, which is zero if there was none.
func (t *Table[V]) Ensure(i int) *V {
	if t.recent == nil || uint(i)/Block != t.index {
		t.recent, t.index = t.ensureBlock(i), uint(i)/Block
	}
	return &t.recent[uint(i)%Block]
}

// ensureBlock returns the block of an index.
func (t *Table[V]) ensureBlock(i int) *[Block]V {
	for i/shelfSize >= len(t.shelves) {
		t.shelves = append(t.shelves, nil)
	}
	s := &t.shelves[i/shelfSize]
	if *s == nil {
		*s = new(shelf[V])
	}
	b := &(*s)[i/Block%shelfBlocks]
	if *b == nil {
		*b = new([Block]V)
	}
	return *b
}

// Drop drops the blocks whose first index is such.
func (t *Table[V]) Drop(such func(first int) bool) {
	t.recent = nil
	for i, s := range t.shelves {
		if s == nil {
			continue
		}
		empty := true
		for j, b := range s {
			if b != nil && such(i*shelfSize+j*Block) {
				s[j] = nil
			}
			empty = empty && s[j] == nil
		}
		if empty {
			t.shelves[i] = nil
		}
	}
}

// Held returns the number of values that take memory.
func (t *Table[V]) Held() int {
	n := 0
	for range t.blocks() {
		n += Block
	}
	return n
}

// All yields the values with their indices, in order.
func (t *Table[V]) All() iter.Seq2[int, *V] {
	return func(yield func(int, *V) bool) {
		for first, b := range t.blocks() {
			for j := range b {
				if !yield(first+j, &b[j]) {
					return
				}
			}
		}
	}
}

// blocks yields the blocks with their first indices.
func (t *Table[V]) blocks() iter.Seq2[int, *[Block]V] {
	return func(yield func(int, *[Block]V) bool) {
		for i, s := range t.shelves {
			if s == nil {
				continue
			}
			for j, b := range s {
				if b != nil && !yield(i*shelfSize+j*Block, b) {
					return
				}
			}
		}
	}
}
