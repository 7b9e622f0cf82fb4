// A program without races. It tells of its accesses to shared variables itself, so
// that a checker can see whether the synchronisation it uses was recorded. Each
// block is one kind of edge; a name on the command line runs only that block.
package main

import (
	"bytes"
	"context"
	"io"
	"iter"
	"net"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

//go:linkname emit runtime.antichainEmit
func emit(kind uint8, addr, aux, arg uint64, payload []byte) bool

const kindStmt = 23

// v is a shared variable.
type v struct{ n int }

//go:noinline
func (p *v) write() { emit(kindStmt, uint64(uintptr(unsafe.Pointer(p))), 1, 0, nil); p.n++ }

//go:noinline
func (p *v) read() { emit(kindStmt, uint64(uintptr(unsafe.Pointer(p))), 0, 0, nil); _ = p.n }

var blocks = []struct {
	name string
	run  func()
}{
	{"go", func() {
		var x v
		x.write()
		done := make(chan bool)
		go func() { x.write(); close(done) }()
		<-done
		x.write()
	}},
	{"waitgroup", func() {
		var x, y v
		var wg sync.WaitGroup
		wg.Add(1)
		go func() { x.write(); wg.Done() }()
		wg.Go(func() { y.write() })
		wg.Wait()
		x.write()
		y.write()
	}},
	{"once", func() {
		var x v
		var once sync.Once
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for range 5 {
					once.Do(func() { x.write() })
					x.read()
				}
			})
		}
		wg.Wait()
		value := sync.OnceValue(func() int { x.write(); return 4 })
		for range 4 {
			wg.Go(func() { value(); x.read() })
		}
		wg.Wait()
	}},
	{"atomic", func() {
		var x v
		var flag atomic.Bool
		var p atomic.Pointer[v]
		var wg sync.WaitGroup
		wg.Go(func() { x.write(); flag.Store(true) })
		wg.Go(func() {
			for !flag.Load() {
				time.Sleep(10 * time.Microsecond)
			}
			x.write()
			p.Store(&x)
		})
		for p.Load() == nil {
			time.Sleep(10 * time.Microsecond)
		}
		x.write()
		wg.Wait()
	}},
	{"atomicvalue", func() {
		var x v
		var value atomic.Value
		go func() { x.write(); value.Store(&x) }()
		for value.Load() == nil {
			time.Sleep(10 * time.Microsecond)
		}
		x.write()
	}},
	{"atomicfunc", func() {
		var x v
		var flag int32
		var p unsafe.Pointer
		go func() { x.write(); atomic.StoreInt32(&flag, 1) }()
		for atomic.LoadInt32(&flag) == 0 {
			time.Sleep(10 * time.Microsecond)
		}
		x.write()
		go func() { x.write(); atomic.StorePointer(&p, unsafe.Pointer(&x)) }()
		for atomic.LoadPointer(&p) == nil {
			time.Sleep(10 * time.Microsecond)
		}
		x.write()
	}},
	{"spinlock", func() {
		var x v
		var lock atomic.Int32
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 20 {
					for !lock.CompareAndSwap(0, 1) {
						runtime.Gosched()
					}
					x.write()
					lock.Store(0)
				}
			})
		}
		wg.Wait()
	}},
	{"mutex", func() {
		var x v
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 20 {
					mu.Lock()
					x.write()
					mu.Unlock()
				}
			})
		}
		wg.Wait()
	}},
	{"rwmutex", func() {
		var x v
		var rw sync.RWMutex
		var wg sync.WaitGroup
		for i := range 4 {
			wg.Go(func() {
				for range 10 {
					if i == 0 {
						rw.Lock()
						x.write()
						rw.Unlock()
					} else {
						rw.RLock()
						x.read()
						rw.RUnlock()
					}
				}
			})
		}
		wg.Wait()
	}},
	{"cond", func() {
		// The lock of the Cond orders nothing here, so that only the Cond can.
		var x v
		c := sync.NewCond(nolock{})
		waiting := make(chan bool)
		done := make(chan bool)
		go func() { close(waiting); c.Wait(); x.write(); close(done) }()
		<-waiting
		time.Sleep(5 * time.Millisecond)
		x.write()
		for stop := false; !stop; {
			c.Signal()
			select {
			case <-done:
				stop = true
			case <-time.After(time.Millisecond):
			}
		}
		var y v
		all := make(chan bool)
		for range 3 {
			go func() { c.Wait(); y.read(); all <- true }()
		}
		time.Sleep(5 * time.Millisecond)
		y.write()
		for n := 0; n < 3; {
			c.Broadcast()
			select {
			case <-all:
				n++
			case <-time.After(time.Millisecond):
			}
		}
	}},
	{"buffered", func() {
		var x v
		sem := make(chan struct{}, 1)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { sem <- struct{}{}; x.write(); <-sem })
		}
		wg.Wait()
		full := make(chan int, 2)
		var y v
		go func() {
			for range 10 {
				full <- 1
				full <- 1
			}
			y.write()
			close(full)
		}()
		n := 0
		for range full {
			n++
		}
		y.write()
	}},
	{"handoff", func() {
		var x v
		c := make(chan int)
		go func() { x.write(); <-c }()
		c <- 1
		x.write()
		go func() { c <- 1; x.write(); c <- 1 }()
		x.read()
		<-c
		<-c
		x.write()
	}},
	{"close", func() {
		var x v
		c := make(chan int)
		go func() { x.write(); close(c) }()
		<-c
		x.write()
		d := make(chan int)
		go func() { time.Sleep(time.Millisecond); x.write(); close(d) }()
		select {
		case <-d:
		case <-make(chan int):
		}
		x.write()
	}},
	{"closepanic", func() {
		var x v
		c := make(chan int)
		go func() { x.write(); close(c) }()
		func() {
			defer func() { recover(); x.write() }()
			for {
				select {
				case c <- 1:
				default:
				}
			}
		}()
	}},
	{"select", func() {
		var x v
		a, b := make(chan int, 2), make(chan int)
		go func() { x.write(); a <- 1 }()
		select {
		case <-a:
			x.write()
		case <-b:
		}
		go func() {
			x.write()
			select {
			case b <- 1:
			case <-make(chan int):
			}
		}()
		<-b
		x.write()
	}},
	{"reflectselect", func() {
		var x v
		a, b := make(chan int, 2), make(chan int)
		go func() { x.write(); reflect.ValueOf(a).Send(reflect.ValueOf(1)) }()
		reflect.Select([]reflect.SelectCase{
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(a)},
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(b)},
		})
		x.write()
	}},
	{"context", func() {
		var x v
		u := make(chan int)
		ctx, cancel := context.WithCancel(context.Background())
		context.AfterFunc(ctx, func() { x.write(); close(u) })
		x.write()
		cancel()
		<-u
		x.write()
		ctx, cancel = context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		<-ctx.Done()
	}},
	{"timer", func() {
		var x v
		done := make(chan bool)
		x.write()
		t := time.AfterFunc(time.Millisecond, func() { x.write(); done <- true })
		<-done
		x.write()
		t.Reset(time.Millisecond)
		<-done
		x.write()
		<-time.After(time.Millisecond)
	}},
	{"syncmap", func() {
		var m sync.Map
		var wg sync.WaitGroup
		wg.Go(func() { p := new(v); p.write(); m.Store(1, p) })
		wg.Go(func() {
			for {
				if p, ok := m.Load(1); ok {
					p.(*v).write()
					return
				}
				time.Sleep(10 * time.Microsecond)
			}
		})
		wg.Wait()
	}},
	{"pool", func() {
		pool := sync.Pool{New: func() any { return new(v) }}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 20 {
					x := pool.Get().(*v)
					x.write()
					pool.Put(x)
					runtime.Gosched()
				}
			})
		}
		wg.Wait()
	}},
	{"pull", func() {
		var x v
		next, stop := iter.Pull(iter.Seq[int](func(yield func(int) bool) {
			for i := range 3 {
				x.write()
				if !yield(i) {
					return
				}
			}
		}))
		for range 2 {
			x.write()
			next()
			x.write()
		}
		stop()
		x.write()
	}},
	{"finalizer", func() {
		done := make(chan bool)
		func() {
			x := new([16]v)
			x[0].write()
			runtime.SetFinalizer(x, func(x *[16]v) { x[0].write(); done <- true })
			y := new([16]v)
			z := new(v)
			z.write()
			runtime.AddCleanup(y, func(z *v) { z.write(); done <- true }, z)
		}()
		for n := 0; n < 2; {
			runtime.GC()
			select {
			case <-done:
				n++
			case <-time.After(time.Millisecond):
			}
		}
	}},
	{"closedconn", func() {
		var x v
		c, s := connect()
		if c == nil {
			return // no network in this sandbox
		}
		stopped := make(chan bool)
		go func() {
			c.Read(make([]byte, 10)) // until Close
			x.write()
			close(stopped)
		}()
		time.Sleep(time.Millisecond)
		x.write()
		c.Close()
		<-stopped
		s.Close()
	}},
	{"tcp", func() {
		var x v
		c, s := connect()
		if c == nil {
			return
		}
		buf := make([]byte, 1)
		done := make(chan bool)
		go func() {
			buf := make([]byte, 1)
			s.Read(buf)
			x.write()
			s.Write(buf)
			io.ReadAll(s)
			x.write()
			close(done)
		}()
		x.write()
		c.Write(buf)
		c.Read(buf)
		x.write()
		c.Close()
		<-done
	}},
	{"pipe", func() {
		var x v
		r, w, err := os.Pipe()
		if err != nil {
			panic(err)
		}
		go func() { x.write(); io.Copy(w, bytes.NewReader(make([]byte, 100))); w.Close() }()
		r.Read(make([]byte, 10))
		x.write()
		io.ReadAll(r)
	}},
}

// connect returns the ends of a connection, nil if there is no network.
func connect() (client, server net.Conn) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil
	}
	defer l.Close()
	dialed := make(chan net.Conn)
	go func() { c, _ := net.Dial("tcp", l.Addr().String()); dialed <- c }()
	server, err = l.Accept()
	client = <-dialed
	if err != nil || client == nil {
		panic("cannot connect to an open port")
	}
	return client, server
}

type nolock struct{}

func (nolock) Lock()   {}
func (nolock) Unlock() {}

func main() {
	for _, b := range blocks {
		if len(os.Args) < 2 || os.Args[1] == b.name {
			b.run()
		}
	}
}
