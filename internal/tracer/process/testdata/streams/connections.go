package main

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

// crowd runs clients at once and in turn, and collects their actors.
type crowd struct {
	sync.Mutex
	actors []*actor
}

func (c *crowd) add() *actor {
	a := newActor()
	c.Lock()
	defer c.Unlock()
	c.actors = append(c.actors, a)
	return a
}

type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// short makes many short connections, some by Multipath TCP. A client half closes its end, or
// closes it before it is accepted.
func short() []*actor {
	var all crowd
	var group sync.WaitGroup
	for _, network := range []string{"tcp", "unix"} {
		l := listen(network)
		group.Go(func() {
			for range 100 {
				c := check(l.Accept())
				group.Go(func() { serve(c, all.add()) })
			}
		})
		for i := range 4 {
			group.Go(func() {
				var d net.Dialer
				d.SetMultipathTCP(i < 2)
				for range 25 {
					c := check(d.Dial(l.Addr().Network(), l.Addr().String()))
					ask(c.(halfCloser), all.add(), i%2 == 0)
				}
			})
		}
	}
	group.Wait()
	return all.actors
}

// serve answers what it has read when the client has closed or half closed its end. That comes
// after the mark of the client that follows the last one it has sent.
func serve(c net.Conn, a *actor) {
	marks := receiveAll(c)
	last := marks[len(marks)-1]
	c.Write(message(a.mark(append(marks, last+1)...)))
	a.mark()
	c.Close()
}

func ask(c halfCloser, a *actor, half bool) {
	check(c.Write(message(a.mark())))
	check(c.Write(message(a.mark())))
	a.mark()
	if half {
		check(0, c.CloseWrite())
		answers := receiveAll(c)
		a.mark(answers[0], answers[0]+1)
	}
	c.Close()
}

// reused connects again and again from one port.
func reused() []*actor {
	var all crowd
	l := listen("tcp")
	var group sync.WaitGroup
	var from *net.TCPAddr
	for i := range 50 {
		c, err := net.DialTCP("tcp", from, l.Addr().(*net.TCPAddr))
		if err != nil { // another process has taken the port meanwhile
			c = check(net.DialTCP("tcp", nil, l.Addr().(*net.TCPAddr)))
		}
		from = c.LocalAddr().(*net.TCPAddr)
		a := all.add()
		check(c.Write(message(a.mark())))
		accept := func() {
			s, b := check(l.Accept()), all.add()
			var buf [size]byte
			if n, err := io.ReadFull(s, buf[:]); err == nil && n == size {
				b.mark(receive(bytes.NewReader(buf[:])))
			}
			s.Close()
		}
		if i%2 == 0 {
			group.Go(accept)
			time.Sleep(time.Millisecond) // or the reset comes first
		}
		check(0, c.SetLinger(0))
		a.mark()
		c.Close()
		if i%2 == 1 {
			group.Go(accept)
		}
	}
	group.Wait()
	return all.actors
}

// keepAlive asks a server of HTTP again and again, through few connections.
func keepAlive() []*actor {
	var all crowd
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(message(all.add().mark(receive(r.Body))))
	}))
	defer s.Close()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			a := all.add()
			for range 50 {
				r := check(http.Post(s.URL, "", bytes.NewReader(message(a.mark()))))
				a.mark(receive(r.Body))
				r.Body.Close()
			}
		})
	}
	group.Wait()
	return all.actors
}

// relay passes bytes on by splice, from each kind of socket to the other.
func relay() []*actor {
	var all crowd
	var group sync.WaitGroup
	for _, networks := range [][2]string{{"tcp", "unix"}, {"unix", "tcp"}, {"tcp", "tcp"}} {
		sender, in := dial(networks[0])
		out, receiver := dial(networks[1])
		group.Go(func() {
			a := all.add()
			for range 50 {
				check(sender.Write(message(a.mark())))
			}
			sender.Close()
		})
		group.Go(func() {
			check(io.Copy(out, in))
			out.Close()
		})
		group.Go(func() {
			a := all.add()
			for range 50 {
				a.mark(receive(receiver))
			}
		})
	}
	group.Wait()
	return all.actors
}
