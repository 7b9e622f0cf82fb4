package main

import (
	"reflect"
	"slices"
	"unsafe"
)

// Races on values of all kinds.

var global int

func racyGlobal() {
	both(
		func() { global = 1 }, // race
		func() { global = 2 }, // race
	)
}

func racyCounter() {
	n := 0
	both(
		func() { n++ }, // race
		func() { n++ }, // race
	)
}

func racyReadWrite() {
	x := new(int)
	both(
		func() { use(*x) }, // race
		func() { *x = 1 },  // race
	)
}

// The loop goes on while the goroutines read its counter.
func racyLoopCounter() {
	done := make(chan bool)
	var i int
	for i = 0; i < 5; i++ { // race
		go func() {
			use(i) // race
			done <- true
		}()
	}
	for range 5 {
		<-done
	}
}

// Both goroutines assign to the err of the function.
func racySharedError() {
	fail := func() (int, error) { return 0, nil }
	n, err := fail()
	done := make(chan bool, 2)
	go func() {
		_, err = fail() // race
		done <- true
	}()
	go func() {
		_, err = fail() // race
		done <- true
	}()
	<-done
	<-done
	use(n)
	use(err)
}

type point struct {
	x, y int
	name string
}

func racyField() {
	p := &point{}
	both(
		func() { p.y = 1 },  // race
		func() { use(p.y) }, // race
	)
}

func racyStructCopy() {
	p := &point{}
	both(
		func() { q := *p; use(q) }, // race
		func() { p.y = 2 },         // race
	)
}

func racyStructAssign() {
	p := &point{}
	both(
		func() { *p = point{1, 2, "a"} }, // race
		func() { *p = point{3, 4, "b"} }, // race
	)
}

func racyEmbedded() {
	type inner struct{ n int }
	type outer struct{ *inner }
	o := outer{&inner{}}
	both(
		func() { o.n = 1 }, // race
		func() { o.n = 2 }, // race
	)
}

func racyArrayCopy() {
	type board [4][4]int
	a, b := new(board), board{}
	both(
		func() { *a = b },      // race
		func() { a[3][3] = 1 }, // race
	)
}

func racySliceElement() {
	s := make([]int, 10)
	both(
		func() { s[3] = 1 }, // race
		func() { s[3] = 2 }, // race
	)
}

func racySliceVariable() {
	s := make([]int, 10)
	both(
		func() { s = make([]int, 5) }, // race
		func() { use(s[0]) },          // race
	)
}

func racyAppend() {
	s := make([]int, 0, 10)
	both(
		func() { use(append(s, 1)) }, // race
		func() { use(append(s, 2)) }, // race
	)
}

func racyAppendGrows() {
	s := make([]int, 4)
	both(
		func() { use(append(s, 1)) }, // race
		func() { s[2] = 1 },          // race
	)
}

func racyCopy() {
	a, b := make([]int, 10), make([]int, 10)
	both(
		func() { copy(a, b) }, // race
		func() { a[7] = 1 },   // race
	)
}

func racyCopyFrom() {
	a, b := make([]string, 10), make([]string, 10)
	both(
		func() { copy(a, b) }, // race
		func() { b[9] = "x" }, // race
	)
}

func racyRange() {
	s := make([]point, 3)
	both(
		func() {
			for _, p := range s { // race
				use(p)
			}
		},
		func() { s[1].x = 1 }, // race
	)
}

func racyStringVariable() {
	s := "a"
	both(
		func() { s = use("b") }, // race
		func() { use(s) },       // race
	)
}

func racyBytesToString() {
	b := make([]byte, 10)
	both(
		func() { use(string(b)) }, // race
		func() { b[9] = 1 },       // race
	)
}

func racyStringCompare() {
	s, t := "abc", "abd"
	both(
		func() { use(s == t) },    // race
		func() { t = use("abc") }, // race
	)
}

func racyConcatenate() {
	s := "a"
	both(
		func() { s += use("b") }, // race
		func() { s += use("c") }, // race
	)
}

func racyInterface() {
	var v any
	both(
		func() { v = 1 },   // race
		func() { v = "a" }, // race
	)
	use(v)
}

func racyTypeSwitch() {
	var v any = 1
	both(
		func() {
			switch v.(type) { // race
			case string:
			}
		},
		func() { v = "a" }, // race
	)
}

func racyToInterface() {
	p := point{}
	both(
		func() { var v any = p; use(v) }, // race
		func() { p.name = "x" },          // race
	)
}

func racyFunction() {
	f := func() {}
	both(
		func() { f() },                   // race
		func() { f = func() { use(1) } }, // race
	)
}

type meter int

func (m *meter) add()    { *m++ } // race
func (m meter) get() int { return int(m) }

func racyMethod() {
	m := new(meter)
	both(m.add, m.add)
}

func racyMethodValue() {
	m := new(meter)
	both(
		func() { f := m.get; use(f()) }, // race
		func() { *m = 3 },               // race
	)
}

func racyFloat() {
	x := 1.0
	both(
		func() { x *= 2 }, // race
		func() { x *= 3 }, // race
	)
}

func racyComplex() {
	x := 1i
	_ = &x
	both(
		func() { x = use(2i) }, // race
		func() { x = use(3i) }, // race
	)
}

func racyByte() {
	b := make([]byte, 16)
	both(
		func() { b[5] = 1 }, // race
		func() { b[5] = 2 }, // race
	)
}

func racyUnsafe() {
	x := [2]int32{}
	p := unsafe.Pointer(&x)
	both(
		func() { *(*int32)(unsafe.Add(p, 4)) = 1 }, // race
		func() { x[1] = 2 },                        // race
	)
	use(x)
}

func racyPointers() {
	p := new(*int)
	*p = new(int)
	both(
		func() { **p = 1 },       // race
		func() { *p = new(int) }, // race
	)
}

func racySwitch() {
	x := 1
	both(
		func() {
			switch x { // race
			case 2:
				use(x)
			}
		},
		func() { x = 3 }, // race
	)
}

func racyDeferArgument() {
	x := 1
	both(
		func() { defer use(x) }, // race
		func() { x = 2 },        // race
	)
}

func racyPanicArgument() {
	x := 1
	both(
		func() {
			defer func() { recover() }()
			panic(x) // race
		},
		func() { x = 2 }, // race
	)
}

func racyReflect() {
	x := 1
	v := reflect.ValueOf(&x).Elem()
	both(
		func() { reflect.Copy(reflect.ValueOf(&[1]int{}).Elem(), reflect.ValueOf(unsafe.Slice(&x, 1))) }, // race
		func() { x = 2 }, // race
	)
	use(v)
}

func racyGeneric() {
	s := []int{3, 1, 2}
	both(
		func() { slices.Reverse(s) }, // race
		func() { s[0] = 5 },          // race
	)
}

func racyIterator() {
	n := 0
	each := func(yield func(int) bool) {
		step := func(i int) {
			defer func() { recover() }() // the loop panics if it notices
			yield(i)
		}
		both(func() { step(1) }, func() { step(2) })
	}
	defer func() { recover() }()
	for i := range each { // race
		n += i // race
	} // race
}

var initial = make(chan bool)

var early int

func init() {
	go func() {
		early = 1 // race
		close(initial)
	}()
}

func racyInit() {
	early = 2 // race
	<-initial
}

// No races.

func cleanNeighbours() {
	b := make([]byte, 16)
	p := &struct{ a, b int32 }{}
	both(
		func() { b[0], b[2] = 1, 1; p.a = 1 },
		func() { b[1], b[3] = 1, 1; p.b = 1 },
	)
}

func cleanElements() {
	s, p := make([]int, 8), &point{}
	both(
		func() { clear(s[:4]); p.x = 1 },
		func() { clear(s[4:]); p.y = 1 },
	)
	use(s)
}

func cleanReaders() {
	m, s, p := map[int]int{1: 2}, []int{1, 2}, &point{1, 2, "a"}
	for range 4 {
		read := func() { use(m[1]); use(len(m)); use(s[1]); use(*p); use(string(p.name[0])) }
		both(read, read)
	}
}

func cleanLocal() {
	work := func() {
		p, s := &point{}, []int{}
		for i := range 100 {
			s = append(s, i)
			p.x += s[i]
		}
		use(p)
	}
	both(work, work)
}

// Memory is used again, by others, for other things.
func cleanReuse() {
	for range 20 {
		both(churn, churn)
	}
}

func churn() {
	for i := range 300 {
		s := make([]point, 1+i%17)
		for j := range s {
			s[j].x = i
		}
		b := []byte("abc")
		b[1] = 'x'
		n := new(int8)
		*n = 3
		use(s)
		use(string(b))
		use(n)
	}
	if use(1) == 1 {
		gc()
	}
}

func cleanStack() {
	var deep func(n int, p *point) int
	deep = func(n int, p *point) int {
		var q point
		q.x = p.x + 1
		if n == 0 {
			return q.x
		}
		return deep(n-1, &q)
	}
	work := func() { use(deep(2000, &point{})) }
	for range 5 {
		both(work, work)
	}
}

func cleanCopyAfter() {
	p := &point{}
	done := make(chan bool)
	go func() { *p = point{1, 2, "x"}; done <- true }()
	<-done
	use(*p)
}
