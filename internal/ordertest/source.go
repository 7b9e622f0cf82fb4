package ordertest

import (
	"fmt"
	"strings"
)

// Main returns the file main.go of programs with the numbers 0 to n-1: it makes a run of the one
// with the number that is its first argument, and adds the run's order to the file that is the
// second one. With a third argument it makes so many runs, in which goroutines yield to others
// at random.
func Main(n int) string {
	var calls strings.Builder
	for i := range n {
		fmt.Fprintf(&calls, "\tprogram%d,\n", i)
	}
	return fmt.Sprintf(mainText, mutexes, channels, calls.String())
}

const mainText = `package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// run is a run of a program.
type run struct {
	mu      [%[1]d]sync.Mutex
	value   [%[1]d]int
	rw      sync.RWMutex
	count   int
	c       [%[2]d]chan int
	n       atomic.Int64
	all     sync.WaitGroup
	walks   bool

	locks   [%[1]d][]int
	writers []int
	seen    [][]int
	left    [%[2]d][]int
}

// before lets others go first.
func (r *run) before() {
	if !r.walks {
		return
	}
	for range rand.IntN(4) {
		runtime.Gosched()
	}
	if rand.IntN(8) == 0 {
		time.Sleep(time.Duration(rand.IntN(30)) * time.Microsecond)
	}
}

func (r *run) see(g, value int) int {
	r.seen[g] = append(r.seen[g], value)
	return value
}

func (r *run) start(capacity [%[2]d]int, goroutines ...func()) string {
	for i, n := range capacity {
		r.c[i] = make(chan int, n)
	}
	r.seen = make([][]int, len(goroutines))
	r.all.Add(len(goroutines))
	for _, g := range goroutines {
		go func() {
			defer r.all.Done()
			g()
		}()
	}
	r.all.Wait()
	for i, c := range r.c {
		close(c)
		for v := range c {
			r.left[i] = append(r.left[i], v)
		}
	}
	return fmt.Sprint(r.locks, r.writers, r.seen, r.left)
}

var programs = []func(*run) string{
%[3]s}

func main() {
	number, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	orders := make(map[string]bool)
	if len(os.Args) < 4 {
		orders[programs[number](new(run))] = true
	} else {
		n, err := strconv.Atoi(os.Args[3])
		if err != nil {
			panic(err)
		}
		for range n {
			orders[programs[number](&run{walks: true})] = true
		}
	}
	// package os synchronises
	f, err := syscall.Open(os.Args[2], syscall.O_APPEND|syscall.O_CREAT|syscall.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	for order := range orders {
		if _, err := syscall.Write(f, []byte(order+"\n")); err != nil {
			panic(err)
		}
	}
}
`

// Source returns a file with the program as the function of that number.
func (p *Program) Source(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nfunc program%d(r *run) string {\n\treturn r.start([%d]int{", n, channels)
	for i, capacity := range p.Capacity {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, capacity)
	}
	b.WriteString("}")
	for g, ops := range p.Goroutines {
		b.WriteString(", func() {\n\t\tlast := 0\n\t\t_ = last\n")
		ends := make(map[int]int) // of what can be skipped, by its last operation
		for pc, o := range ops {
			b.WriteString(o.text(g, pc))
			if o.Kind == SkipIfEven {
				ends[pc+o.Skip]++
			}
			b.WriteString(strings.Repeat("\t\t}\n", ends[pc]))
		}
		b.WriteString("\t}")
	}
	b.WriteString(")\n}\n")
	return b.String()
}

// texts are the operations in Go: g is the goroutine, o the object and n the number.
var texts = map[Kind]string{
	Lock: `		r.before()
		r.mu[o].Lock()
		r.locks[o] = append(r.locks[o], n)
`,
	Unlock: "\t\tr.mu[o].Unlock()\n",
	Read:   "\t\tlast = r.see(g, r.value[o])\n",
	Write:  "\t\tr.value[o] = g + 1\n",
	WriteLock: `		r.before()
		r.rw.Lock()
		r.count++
		r.writers = append(r.writers, n)
`,
	WriteUnlock: "\t\tr.rw.Unlock()\n",
	ReadLock:    "\t\tr.before()\n\t\tr.rw.RLock()\n\t\tlast = r.see(g, r.count)\n",
	ReadUnlock:  "\t\tr.rw.RUnlock()\n",
	Send:        "\t\tr.before()\n\t\tr.c[o] <- n\n",
	Receive:     "\t\tr.before()\n\t\tlast = r.see(g, <-r.c[o])\n",
	Choose: `		r.before()
		select {
		case v := <-r.c[0]:
			last = r.see(g, v)
		case v := <-r.c[1]:
			last = r.see(g, v)
		}
`,
	SkipIfEven:  "\t\tif last%2 != 0 {\n",
	AddToAtomic: "\t\tr.before()\n\t\tr.n.Add(1)\n",
}

func (o Op) text(g, pc int) string {
	named := strings.NewReplacer("[o]", fmt.Sprintf("[%d]", o.On), "(g,", fmt.Sprintf("(%d,", g),
		"= g +", fmt.Sprintf("= %d +", g), ", n)", fmt.Sprintf(", %d)", number(g, pc)),
		"<- n", fmt.Sprintf("<- %d", number(g, pc)))
	return named.Replace(texts[o.Kind])
}
