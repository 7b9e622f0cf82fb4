// Command migrate brings its tables up to date when it starts.
//
// Bug: the first query can come before the migration is over, which runs in the background.
// A report has to name property migrated_first.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Tables have a version.
type Tables struct {
	mu      sync.Mutex
	version int
	wanted  int
}

// migrate makes the tables those of the wanted version.
func (t *Tables) migrate() {
	for {
		t.mu.Lock()
		if t.version == t.wanted {
			t.mu.Unlock()
			return
		}
		t.version++
		t.mu.Unlock()
	}
}

// query reads the tables.
func (t *Tables) query(text string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%s: rows of version %d", text, t.version)
}

// serve answers queries.
func serve(t *Tables, queries <-chan string, answers chan<- string) {
	for q := range queries {
		answers <- t.query(q)
	}
	close(answers)
}

func main() {
	tables := &Tables{version: 1, wanted: 4}
	queries, answers := make(chan string, 2), make(chan string, 2)
	go tables.migrate()
	time.Sleep(time.Millisecond) // reads the rest of the configuration
	go serve(tables, queries, answers)
	queries <- "users"
	queries <- "groups"
	close(queries)
	for a := range answers {
		fmt.Println(len(a) > 0)
	}
}
