package freelist

import "testing"

func TestList(t *testing.T) {
	var l List[int]
	a, b := l.Get(), l.Get()
	if a == b {
		t.Fatal("the same twice")
	}
	*a, *b = 1, 2
	l.Put(a)
	l.Put(b)
	if x, y, z := l.Get(), l.Get(), l.Get(); x != b || y != a || z == a || z == b || *x != 2 || *y != 1 || *z != 0 {
		t.Error("not those that were put, and a new one")
	}
	for range most + 1 {
		l.Put(new(int))
	}
	if l.Len() != most {
		t.Errorf("%d are kept", l.Len())
	}
}
