// Command rename is a directory of files that can be renamed.
//
// Bug: a file is removed under its old name and added under the new one in two critical sections. A listing between has neither.
package main

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Directory has files by name.
type Directory struct {
	mu    sync.RWMutex
	files map[string]int
}

func (d *Directory) unlink(name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	inode := d.files[name]
	delete(d.files, name)
	return inode
}

func (d *Directory) link(name string, inode int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[name] = inode
}

// touch changes the time of a file.
func touch(inode int) time.Time {
	return time.Unix(int64(inode), 0)
}

// Rename renames a file.
func (d *Directory) Rename(from, to string) {
	inode := d.unlink(from)
	touch(inode)
	d.link(to, inode)
}

// names counts the names.
func (d *Directory) names() int { return len(d.files) }

// List says how many files there are.
func (d *Directory) List() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.names()
}

func main() {
	d := &Directory{files: map[string]int{"a.txt": 1, "b.txt": 2}}
	counts := make([]int, 2)
	var wg sync.WaitGroup
	for i := range counts {
		wg.Go(func() {
			time.Sleep(time.Duration(i) * 80 * time.Millisecond)
			counts[i] = d.List()
		})
	}
	wg.Go(func() {
		time.Sleep(40 * time.Millisecond)
		d.Rename("a.txt", "c.txt")
	})
	wg.Wait()
	fmt.Println(counts)
	if counts[0] != 2 || counts[1] != 2 {
		os.Exit(1)
	}
}
