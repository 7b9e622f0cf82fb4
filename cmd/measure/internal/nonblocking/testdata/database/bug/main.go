// Command database opens its database once, with whoever needs it first.
//
// Bug: Ready looks at the handle without going through the Once that sets it.
// A report has to name race: (*DB).get `d.h = h` + (*DB).Ready `return d.h != nil`.
package main

import (
	"fmt"
	"sync"
	"time"
)

// handle is an open database.
type handle struct {
	path   string
	tables int
}

func open(path string) *handle {
	time.Sleep(time.Millisecond)
	return &handle{path: path, tables: 3}
}

// DB opens its database when it is needed.
type DB struct {
	path string
	once sync.Once
	h    *handle
}

// get opens the database if it is not open.
func (d *DB) get() *handle {
	d.once.Do(func() {
		h := open(d.path)
		d.h = h
	})
	return d.h
}

// Tables returns how many tables there are.
func (d *DB) Tables() int { return d.get().tables }

// Ready reports whether the database is open, and does not open it.
func (d *DB) Ready() bool {
	return d.h != nil
}

// health answers the question whether the service is alive.
func health(d *DB) string {
	if d.Ready() {
		return "ready"
	}
	return "starting"
}

func main() {
	db := &DB{path: "data.db"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { fmt.Println("tables:", db.Tables()) })
	}
	wg.Go(func() { _ = health(db) })
	wg.Wait()
	fmt.Println(health(db))
}
