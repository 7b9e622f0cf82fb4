// Command refcount shares open files, and closes each when nobody uses it any more.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// File is an open file with the number of its users.
type File struct {
	mu     sync.Mutex
	refs   int
	closed bool
	bad    bool
}

func (f *File) close() {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
}

// read reads the file.
func (f *File) read() {
	f.mu.Lock()
	f.bad = f.bad || f.closed
	f.mu.Unlock()
}

// Table has the open files.
type Table struct {
	mu    sync.Mutex
	files map[string]*File
	bad   bool
}

// Open returns an open file.
func (t *Table) Open(name string) *File {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[name]
	if f == nil {
		f = new(File)
		t.files[name] = f
	}
	f.refs++
	return f
}

// Release says that somebody does not need a file any more.
func (t *Table) Release(name string, f *File) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f.refs--
	last := f.refs == 0
	if last {
		f.close()
		delete(t.files, name)
	}
	t.bad = t.bad || f.bad
}

// use reads a file.
func use(t *Table, name string) {
	f := t.Open(name)
	f.read()
	t.Release(name, f)
}

func main() {
	t := &Table{files: make(map[string]*File)}
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			time.Sleep(time.Duration(i) * 50 * time.Millisecond)
			use(t, "a.txt")
		}()
	}
	wg.Wait()
	fmt.Println(len(t.files), "open")
	if t.bad {
		fmt.Println("a closed file was read")
		os.Exit(1)
	}
}
