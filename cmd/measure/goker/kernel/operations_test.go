package kernel

import (
	"fmt"
	"slices"
	"testing"
)

const operating = `package main

import "sync"

func init() {
	register("Made2", Made)
}

type T_made2 struct{ mu, other sync.RWMutex }

func (t *T_made2) both(c chan int) {
	t.mu.Lock()
	t.
		other.Lock()
	go func() { t.other.RLock() }()
	select {
	case c <- 1:
		<-c
	case v, ok := <-c:
		c <- v
	case <-c:
	}
}

func (t T_made2) same(c chan int) { c <- 1 }

func same_made2(c chan int) { <-c }

func Made(t *T_made2, c chan int) {
	go same_made2(c)
	go t.same(c)
	go t.inner.same(c)
}
`

func TestLines(t *testing.T) {
	k, err := Parse("made2.go", []byte(operating))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		function, kind string
		n              int
		want           []int
	}{
		{"both", "lock", 0, []int{12, 14}},
		{"(*T).both", "lock", 1, []int{12}},
		{"both", "lock", 2, []int{14}},
		{"both", "lock", 3, nil},
		{"both", "rlock", 1, []int{15}},
		{"both", "select", 0, []int{16, 17, 19, 21}},
		{"both", "recv", 0, []int{18}},
		{"both", "send", 0, []int{20}},
		{"both", "wait", 0, nil},
		{"T.same", "send", 0, []int{25}},
		{"same", "send", 0, nil},
		{"same", "recv", 0, []int{27}},
		{"none", "recv", 0, nil},
	} {
		got, err := k.Lines(c.function, c.kind, c.n)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s %s %d: got %v (%v), want %v", c.function, c.kind, c.n, got, err, c.want)
		}
	}
}

func TestStarted(t *testing.T) {
	k, err := Parse("made2.go", []byte(operating))
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]string{15: "[15]", 25: "", 30: "same_made2", 31: "same", 32: "same"} {
		name, body := k.Started(line)
		if body != nil {
			name += fmt.Sprint(body)
		}
		if name != want {
			t.Errorf("line %d: %q, want %q", line, name, want)
		}
	}
}
