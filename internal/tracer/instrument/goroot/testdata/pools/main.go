// A program that puts objects of several types into pools, and takes them out again in another
// goroutine.
package main

import (
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

type node struct {
	next *node
	text string
}

type guarded struct {
	n  int
	mu sync.Mutex
}

var self = &node{}

// exchangeable are objects that lead to nothing that synchronises.
var exchangeable = []any{
	new(bytes.Buffer),
	bytes.NewBufferString("x"),
	new(strings.Builder),
	&[]byte{1},
	&[]string{"a"},
	&node{next: &node{}},
	&struct {
		f     func()
		any   any
		c     chan int
		m     map[int]int
		array [1000]int
	}{},
	&struct{ nodes []*node }{},
}

// others lead to something that does, or may.
var others = []any{
	new(sync.Mutex),
	new(atomic.Int32),
	new(guarded),
	&struct{ to *guarded }{new(guarded)},
	&[]guarded{{}},
	&[3]guarded{},
	&[3]*guarded{2: {}},
	&struct{ c chan int }{make(chan int)},
	&struct{ f func() }{func() {}},
	&struct{ any any }{1},
	&struct{ m map[int]int }{map[int]int{}},
	&[]*node{{}},
	self, // there is no end to it
	os.Stdout,
	7,
	"x",
	make(chan int),
}

func main() {
	self.next = self
	objects := exchangeable
	if os.Args[1] == "others" {
		objects = others
	}
	os.Stdout.WriteString(strconv.Itoa(len(objects)))
	runtime.GOMAXPROCS(1) // a Pool has what the other goroutine has put
	for _, x := range objects {
		var p sync.Pool
		done := make(chan bool)
		go func() { p.Put(x); close(done) }()
		<-done
		if p.Get() == nil {
			panic("the pool is empty")
		}
	}
}
