// Command outbox collects records and writes them out together.
package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Outbox has records that are not written yet.
type Outbox struct {
	mu      sync.Mutex
	records []string
	written int
}

func (o *Outbox) push(record string) { o.records = append(o.records, record) }

// Add adds a record.
func (o *Outbox) Add(record string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.push(record)
}

// write writes records to a file.
func write(records []string) int {
	return len(records)
}

// Flush writes all records.
func (o *Outbox) Flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := write(slices.Clone(o.records))
	o.records = nil
	o.written += n
}

func main() {
	var o Outbox
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 40 * time.Millisecond)
			o.Add(fmt.Sprint("record ", i))
		})
	}
	for i := range 2 {
		wg.Go(func() {
			time.Sleep(time.Duration(60+80*i) * time.Millisecond)
			o.Flush()
		})
	}
	wg.Wait()
	o.Flush()
	fmt.Println("written:", o.written)
	if o.written != 3 {
		os.Exit(1)
	}
}
