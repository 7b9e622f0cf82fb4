package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// messages lets four goroutines send each other messages, which alone order them.
func messages() []*actor {
	const n, steps = 4, 1000
	random := rand.New(rand.NewPCG(uint64(check(strconv.Atoi(os.Args[2]))), 1))
	links := [n][n]*link{}
	for i := range n {
		for j := range i {
			links[i][j], links[j][i] = connect((i + j) % 4)
		}
	}
	warmUp()
	type step struct{ send, with, how int }
	plans := [n][]step{}
	onTheWay := [n][n]int{}
	for done := 0; done < steps; {
		i, j := random.IntN(n), random.IntN(n)
		switch {
		case i == j:
		case random.IntN(2) == 0 && onTheWay[i][j] < 20:
			plans[i] = append(plans[i], step{1, j, random.IntN(4)})
			onTheWay[i][j]++
			done++
		case onTheWay[j][i] > 0:
			plans[i] = append(plans[i], step{0, j, random.IntN(2)})
			onTheWay[j][i]--
		}
	}
	var all []*actor
	for range n {
		all = append(all, newActor())
	}
	var group sync.WaitGroup
	for i, a := range all {
		f := check(os.Create(filepath.Join(os.TempDir(), strconv.Itoa(i))))
		group.Go(func() {
			for _, s := range plans[i] {
				if l := links[i][s.with]; s.send == 1 {
					l.send(message(a.mark()), s.how, f)
				} else {
					a.mark(receive(l))
				}
			}
		})
	}
	group.Wait()
	return all
}

// warmUp does once what the library does differently for the first time: all else comes after that.
func warmUp() {
	f := check(os.Create(filepath.Join(os.TempDir(), "warm")))
	for kind := range 4 {
		a, b := connect(kind)
		for how := range 4 {
			a.send(message(0), how, f)
			receive(b)
		}
	}
}

// link is an end of a connection, or those of two pipes.
type link struct {
	io.Reader
	io.Writer
}

// send sends in one of several ways.
func (l *link) send(b []byte, how int, f *os.File) {
	switch how {
	case 0:
		check(l.Write(b))
	case 1:
		buffers := net.Buffers{b[:3], b[3:]}
		check(buffers.WriteTo(l.Writer))
	case 2:
		check(l.Write(b[:5]))
		check(l.Write(b[5:]))
	case 3:
		check(f.Write(b)) // a socket gets no copy of this part of the file
		check(f.Seek(-size, io.SeekCurrent))
		check(io.CopyN(l.Writer, f, size))
	}
}

// connect returns the ends of a new connection: by TCP, through a Unix socket, or of two pipes.
func connect(kind int) (a, b *link) {
	if kind == 3 {
		fromA, toB := pipe()
		fromB, toA := pipe()
		return &link{fromB, toB}, &link{fromA, toA}
	}
	c, d := dial([]string{"tcp", "unix", "tcp6"}[kind])
	return &link{c, c}, &link{d, d}
}

func pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	check(0, err)
	return r, w
}

func dial(network string) (client, server net.Conn) {
	l := listen(network)
	defer l.Close()
	client = check(net.Dial(l.Addr().Network(), l.Addr().String()))
	return client, check(l.Accept())
}

var sockets int

func listen(network string) net.Listener {
	switch network {
	case "unix":
		sockets++
		return check(net.Listen(network, filepath.Join(os.TempDir(), "s"+strconv.Itoa(sockets))))
	case "tcp6":
		if l, err := net.Listen(network, "[::1]:0"); err == nil {
			return l
		}
	}
	return check(net.Listen("tcp4", "127.0.0.1:0"))
}

// shared reads one end through two descriptors, and through the file of a pipe.
func shared() []*actor {
	c, s := dial("tcp")
	file := check(s.(*net.TCPConn).File())
	dup := check(net.FileConn(file))
	r, w := pipe()
	a, b := newActor(), newActor()
	done := make(chan bool)
	go func() {
		for i := range 20 {
			b.mark(receive([]io.Reader{s, dup}[i%2]))
			b.mark(receive(r))
		}
		close(done)
	}()
	for i := range 20 {
		check(c.Write(message(a.mark())))
		check(io.Copy(w, bytes.NewReader(message(a.mark()))))
		if i == 10 {
			r.Fd()
		}
	}
	<-done
	return []*actor{a, b}
}
