package onthefly

import (
	"maps"
	stdslices "slices"
)

// orderedMap is a map that is iterated over in the order in which its keys came: what is reported
// of a run is the same every time it is read.
type orderedMap[V any] struct {
	at     map[string]int // into values
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

// put gives a key a value, also one that has another.
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
