// Command journal numbers entries and lets a reader see how far it is.
//
// Bug: the text of the last entry is written before the lock is taken, and read after it was given back.
// A report has to name race: (*Journal).Append `j.last = text` + (*Journal).Status `j.last`.
package main

import (
	"fmt"
	"sync"
)

// Journal is a log of entries.
type Journal struct {
	mu      sync.Mutex
	entries int
	last    string
}

// Append adds an entry.
func (j *Journal) Append(text string) {
	j.last = text
	j.mu.Lock()
	j.entries++
	j.mu.Unlock()
}

// Status says how many entries there are and which is the last.
func (j *Journal) Status() string {
	j.mu.Lock()
	n := j.entries
	j.mu.Unlock()
	return fmt.Sprintf("%d entries, last: %s", n, j.last)
}

func main() {
	var j Journal
	done := make(chan bool, 2)
	go func() {
		j.Append("started")
		done <- true
	}()
	go func() {
		fmt.Println(j.Status())
		done <- true
	}()
	<-done
	<-done
	fmt.Println(j.entries, "in the end")
}
