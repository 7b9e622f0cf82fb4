// Command batcher collects records and writes them in batches.
//
// Bug: Flush hands its slice to the writer and goes on to fill the same array.
// A report has to name race: (*Batcher).Add `b.buf = append(b.buf, r)` + (*Batcher).write `range batch`.
package main

import "fmt"

// A Record is one line of a log.
type Record struct {
	Seq  int
	Text string
}

// Batcher collects records.
type Batcher struct {
	size int
	buf  []Record
	out  chan []Record
	done chan int
}

// NewBatcher starts the goroutine that writes.
func NewBatcher(size int) *Batcher {
	b := &Batcher{size: size, buf: make([]Record, 0, size), out: make(chan []Record, 4), done: make(chan int)}
	go b.write()
	return b
}

// Add adds a record.
func (b *Batcher) Add(r Record) {
	b.buf = append(b.buf, r)
	if len(b.buf) == b.size {
		b.Flush()
	}
}

// Flush hands what there is to the writer.
func (b *Batcher) Flush() {
	if len(b.buf) == 0 {
		return
	}
	b.out <- b.buf
	b.buf = b.buf[:0]
}

// Close flushes, and returns how many bytes were written.
func (b *Batcher) Close() int {
	b.Flush()
	close(b.out)
	return <-b.done
}

// write writes batches.
func (b *Batcher) write() {
	written := 0
	for batch := range b.out {
		for _, r := range batch {
			written += len(r.Text)
		}
	}
	b.done <- written
}

func main() {
	b := NewBatcher(3)
	for i := range 10 {
		b.Add(Record{Seq: i, Text: fmt.Sprintf("record %d", i)})
	}
	fmt.Println(b.Close(), "bytes")
}
