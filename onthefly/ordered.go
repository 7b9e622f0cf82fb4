package onthefly

import (
	"maps"
	stdslices "slices"
)

// ordered is a map that is iterated over in the order in which its keys came: what is reported of a
// run is the same every time it is read.
type ordered[V any] struct {
	at     map[string]int // into values
	values []V
}

func (o *ordered[V]) has(key string) bool {
	_, ok := o.at[key]
	return ok
}

// put gives a key a value, also one that has another.
func (o *ordered[V]) put(key string, v V) {
	if i, ok := o.at[key]; ok {
		o.values[i] = v
		return
	}
	if o.at == nil {
		o.at = map[string]int{}
	}
	o.at[key] = len(o.values)
	o.values = append(o.values, v)
}

func (o *ordered[V]) clone() ordered[V] {
	return ordered[V]{maps.Clone(o.at), stdslices.Clone(o.values)}
}

func (o *ordered[V]) clear() { *o = ordered[V]{} }
