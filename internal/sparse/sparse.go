// Package sparse provides arrays with few used indices, most of which are close to others.
//
// Such indices are addresses in memory, or numbers of objects that count up and die young. A map
// would scatter the elements in memory.
package sparse

import (
	"iter"
	"maps"
	"slices"
)

// Index is a type of indices.
type Index interface{ ~uint32 | ~uint64 }

// Array has a pointer at each index, mostly nil. The zero value is empty.
type Array[I Index, V any] struct {
	pages  map[I]*page[V] // each has pageSize elements from index key*pageSize on; none is empty
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

// recent is a page that was used recently, among those whose keys are equal modulo recentPages. It
// may be nil.
type recent[I Index, V any] struct {
	key  I
	page *page[V]
}

// At returns the pointer at an index.
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

// Set stores v at an index. nil removes the element.
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

// All yields the elements with their indices, in order. The loop may remove yielded elements.
func (a *Array[I, V]) All() iter.Seq2[I, *V] { return a.From(0, ^I(0)) }

// From yields the elements from first to last.
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

// keys yields the keys of pages from first to last, in order. It includes keys without a page only
// if there are few.
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
