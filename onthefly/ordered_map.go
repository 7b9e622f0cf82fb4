package onthefly

import (
	"maps"
	stdslices "slices"
)

// orderedMap is a map that iterates in insertion order, which makes reports of a run reproducible.
type orderedMap[V any] struct {
	at     map[string]int // index into values
	values []V
}

func (o *orderedMap[V]) has(key string) bool {
	_, ok := o.at[key]
	return ok
}

func (o *orderedMap[V]) get(key string) (v V, ok bool) {
	i, ok := o.at[key]
	if ok {
		v = o.values[i]
	}
	return v, ok
}

// put sets the value of a key.
func (o *orderedMap[V]) put(key string, v V) {
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

func (o *orderedMap[V]) clone() orderedMap[V] {
	return orderedMap[V]{maps.Clone(o.at), stdslices.Clone(o.values)}
}

func (o *orderedMap[V]) clear() { *o = orderedMap[V]{} }
