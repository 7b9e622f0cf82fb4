// Command pauser lets an importer be paused and resumed by messages.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Importer imports rows, unless it is paused.
type Importer struct {
	gate sync.Mutex // held while the importer is paused
	rows int
}

// Pause holds the importer before its next row.
func (m *Importer) Pause() { m.gate.Lock() }

// Resume lets it go on.
func (m *Importer) Resume() { m.gate.Unlock() }

// Run imports rows.
func (m *Importer) Run(rows int) {
	for range rows {
		m.gate.Lock()
		m.rows++
		m.gate.Unlock()
		time.Sleep(200 * time.Microsecond)
	}
}

// Handle obeys the messages of operators.
func Handle(m *Importer, messages <-chan string) {
	var wg sync.WaitGroup
	for message := range messages {
		wg.Add(1)
		func() {
			defer wg.Done()
			switch message {
			case "pause":
				m.Pause()
			case "resume":
				m.Resume()
			}
		}()
	}
	wg.Wait()
}

func main() {
	m := new(Importer)
	messages := make(chan string)
	go func() {
		defer close(messages)
		for _, message := range []string{"pause", "resume"} {
			messages <- message
			time.Sleep(2 * time.Millisecond)
		}
	}()
	imported := make(chan bool)
	go func() {
		m.Run(5)
		imported <- true
	}()
	Handle(m, messages)
	<-imported
	fmt.Println("rows:", m.rows)
}
