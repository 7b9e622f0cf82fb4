package candidate

import (
	"github.com/antichain-go/antichain/internal/freelist"
	"github.com/antichain-go/antichain/internal/sparse"
	"github.com/antichain-go/antichain/tracer/op"
)

// Objects has what is remembered of each object.
type Objects[V any] struct {
	sparse.Array[op.Object, V]
	spare freelist.List[V]
}

// Of returns what is remembered of an object, which is new if there was nothing.
func (all *Objects[V]) Of(o op.Object) *V {
	v := all.At(o)
	if v == nil {
		v = all.spare.Get()
		all.Set(o, v)
	}
	return v
}

// Recycle forgets an object. What was remembered of it is empty, for another one.
func (all *Objects[V]) Recycle(o op.Object, empty *V) {
	all.Set(o, nil)
	all.Spare(empty)
}

// Spare takes what was remembered of an object that is forgotten, and is empty, for another one.
func (all *Objects[V]) Spare(empty *V) { all.spare.Put(empty) }
