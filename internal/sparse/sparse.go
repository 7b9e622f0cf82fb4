// Package sparse provides arrays with integer indices of which few are used, most of them close to others.
//
// Such indices are addresses in memory, or numbers of objects that are counted when they are created and die young. A map
// would scatter the elements in memory.
package sparse

import (
	"iter"
	"maps"
	"slices"
)

// Index is a type of indices.
type Index interface{ ~uint32 | ~uint64 }

// Array has a pointer, or none, at each index. The zero value has none.
type Array[I Index, V any] struct {
	pages  map[I]*page[V] // of pageSize elements, the first at index key*pageSize; none is empty
	recent [recentPages]recent[I, V]
}

const (
	pageSize    = 16
	recentPages = 16
)

type page[V any] struct {
	values [pageSize]*V
	used   int
}

// recent is a page that was looked at last, of those whose keys are the same modulo recentPages. It may be nil.
type recent[I Index, V any] struct {
	key  I
	page *page[V]
}

// At returns what is at an index, nil if there is nothing.
func (a *Array[I, V]) At(i I) *V {
	if p := a.page(i / pageSize); p != nil {
		return p.values[i%pageSize]
	}
	return nil
}

func (a *Array[I, V]) page(key I) *page[V] {
	r := &a.recent[key%recentPages]
	if r.page != nil && r.key == key {
		return r.page
	}
	p := a.pages[key]
	if p != nil {
		*r = recent[I, V]{key, p}
	}
	return p
}

// Set puts v at an index; nil takes away what is there.
func (a *Array[I, V]) Set(i I, v *V) {
	p := a.page(i / pageSize)
	if p == nil {
		if v == nil {
			return
		}
		p = a.newPage(i / pageSize)
	}
	slot := &p.values[i%pageSize]
	if *slot != nil {
		p.used--
	}
	if v != nil {
		p.used++
	}
	*slot = v
	if key := i / pageSize; p.used == 0 {
		delete(a.pages, key)
		a.recent[key%recentPages].page = nil
	}
}

func (a *Array[I, V]) newPage(key I) *page[V] {
	if a.pages == nil {
		a.pages = map[I]*page[V]{}
	}
	p := new(page[V])
	a.pages[key] = p
	a.recent[key%recentPages] = recent[I, V]{key, p}
	return p
}

// All yields the indices with what is there, in order. What is yielded may be taken away meanwhile.
func (a *Array[I, V]) All() iter.Seq2[I, *V] { return a.From(0, ^I(0)) }

// From yields those from first to last.
func (a *Array[I, V]) From(first, last I) iter.Seq2[I, *V] {
	return func(yield func(I, *V) bool) {
		for key := range a.keys(first/pageSize, last/pageSize) {
			p := a.pages[key]
			if p == nil {
				continue
			}
			for j, v := range p.values {
				i := key*pageSize + I(j)
				if v != nil && first <= i && i <= last && !yield(i, v) {
					return
				}
			}
		}
	}
}

// keys yields the keys of pages from first to last, in order; those of no page only if they are few.
func (a *Array[I, V]) keys(first, last I) iter.Seq[I] {
	return func(yield func(I) bool) {
		if uint64(last-first) < uint64(len(a.pages)) {
			for key := first; key <= last; key++ {
				if !yield(key) {
					return
				}
			}
			return
		}
		for _, key := range slices.Sorted(maps.Keys(a.pages)) {
			if first <= key && key <= last && !yield(key) {
				return
			}
		}
	}
}
