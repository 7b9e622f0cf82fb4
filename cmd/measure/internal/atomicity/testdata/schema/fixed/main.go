// Command schema creates the tables of a database, and stores rows in them.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// DB has tables with rows.
type DB struct {
	mu     sync.Mutex
	tables map[string][]string
	lost   int
}

// create adds a table.
func (db *DB) create(table string) {
	db.tables[table] = []string{}
}

// insert adds a row.
func (db *DB) insert(table, row string) {
	rows, ok := db.tables[table]
	if !ok {
		db.lost++
		return
	}
	db.tables[table] = append(rows, row)
}

func (db *DB) setUp() {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.create("users")
}

// AddUser stores a user.
func (db *DB) AddUser(name string) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.insert("users", name)
}

func main() {
	db := &DB{tables: make(map[string][]string)}
	var wg sync.WaitGroup
	db.setUp()
	for i, name := range []string{"ann", "bob"} {
		wg.Go(func() {
			time.Sleep(time.Duration(i+1) * 40 * time.Millisecond)
			db.AddUser(name)
		})
	}
	wg.Wait()
	fmt.Println(len(db.tables["users"]), "users")
	if db.lost > 0 {
		os.Exit(1)
	}
}
