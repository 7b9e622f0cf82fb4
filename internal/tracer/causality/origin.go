package causality

import (
	"slices"
	"strconv"
)

// origin is a goroutine's place in the tree of go statements, which gives it its name: the n-th
// child of T is T.n. The name is made when it is needed, since most goroutines may never have a
// kept event.
type origin struct {
	name   string  // "" until it is needed
	parent *origin // nil once there is a name
	n      int
}

// String returns the name.
func (o *origin) String() string {
	if o.name != "" {
		return o.name
	}
	named := o
	var path []int // from o up
	for ; named.name == ""; named = named.parent {
		path = append(path, named.n)
	}
	name := []byte(named.name)
	for _, n := range slices.Backward(path) {
		name = strconv.AppendInt(append(name, '.'), int64(n), 10)
	}
	o.name, o.parent = string(name), nil
	return o.name
}
