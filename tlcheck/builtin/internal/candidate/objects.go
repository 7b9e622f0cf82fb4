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

// Ensure returns what is remembered of an object: a new value if there was none.
func (all *Objects[V]) Ensure(o op.Object) *V {
	v := all.At(o)
	if v == nil {
		v = all.spare.Get()
		all.Set(o, v)
	}
	return v
}

// Recycle forgets an object. empty, its value, which the caller has emptied, is reused for another
// object.
func (all *Objects[V]) Recycle(o op.Object, empty *V) {
	all.Set(o, nil)
	all.Spare(empty)
}

// Spare reuses the emptied value of a forgotten object for another one.
func (all *Objects[V]) Spare(empty *V) { all.spare.Put(empty) }
