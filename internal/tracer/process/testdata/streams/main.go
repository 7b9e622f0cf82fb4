// Command streams moves bytes between its goroutines in many ways. The bytes say which marks a
// reader comes after. A mark is the making of a channel, whose capacity is its number.
//
// It writes a line for each mark, "mark N", and for each pair of them, "after N M".
package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
)

// actor is a goroutine with marks of its own.
type actor struct {
	next  int
	lines []string
}

// marksOf is how many marks an actor may have.
const marksOf = 10_000

var actors atomic.Int64

func newActor() *actor { return &actor{next: int(actors.Add(1)) * marksOf} }

// mark makes a mark, which comes after others.
func (a *actor) mark(after ...uint64) uint64 {
	n := a.next
	a.next++
	_ = make(chan struct{}, n)
	a.lines = append(a.lines, "mark "+strconv.Itoa(n))
	for _, m := range after {
		a.lines = append(a.lines, "after "+strconv.Itoa(n)+" "+strconv.Itoa(int(m)))
	}
	return uint64(n)
}

// size is that of a message: the mark before it.
const size = 8

func message(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// receive reads a message.
func receive(r io.Reader) uint64 {
	var buf [size]byte
	check(io.ReadFull(r, buf[:]))
	return binary.BigEndian.Uint64(buf[:])
}

// receiveAll reads messages up to the end of the file.
func receiveAll(r io.Reader) (marks []uint64) {
	all := check(io.ReadAll(r))
	for ; len(all) >= size; all = all[size:] {
		marks = append(marks, binary.BigEndian.Uint64(all))
	}
	if len(all) != 0 {
		panic("part of a message")
	}
	return marks
}

func check[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var scenarios = map[string]func() []*actor{
	"messages": messages, "short": short, "reused": reused, "keepalive": keepAlive, "relay": relay, "shared": shared,
}

func main() {
	out := bufio.NewWriter(os.Stdout)
	for _, a := range scenarios[os.Args[1]]() {
		for _, line := range a.lines {
			fmt.Fprintln(out, line)
		}
	}
	out.Flush()
}
