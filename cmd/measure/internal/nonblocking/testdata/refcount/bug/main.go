// Command refcount shares a file between readers, and closes it when the last one has released it.
//
// Bug: Release decreases the count atomically, and then looks at it as at any variable.
// A report has to name race: (*File).Release `if f.refs == 0 {` + (*File).Release `atomic.AddInt32(&f.refs, -1)`.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// File is shared by several readers.
type File struct {
	name   string
	refs   int32
	closed int32
}

// Open returns a file that its caller has to release.
func Open(name string) *File { return &File{name: name, refs: 1} }

// Retain is for one more reader.
func (f *File) Retain() *File {
	atomic.AddInt32(&f.refs, 1)
	return f
}

// Release closes the file if nobody else has it.
func (f *File) Release() {
	atomic.AddInt32(&f.refs, -1)
	if f.refs == 0 {
		f.close()
	}
}

func (f *File) close() {
	atomic.AddInt32(&f.closed, 1)
}

// scan reads the file.
func scan(f *File) int {
	defer f.Release()
	return len(f.name)
}

func main() {
	f := Open("data.txt")
	var readers sync.WaitGroup
	for range 3 {
		f.Retain()
		readers.Go(func() { scan(f) })
	}
	f.Release()
	readers.Wait()
	fmt.Println("closed:", atomic.LoadInt32(&f.closed))
}
