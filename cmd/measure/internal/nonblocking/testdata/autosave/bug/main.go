// Command autosave writes a document a moment after its last change, and once more at the end.
//
// Bug: Close stops the timer, but does not wait for a save that has begun: it can write after Close, over newer text.
// A report has to name property one_write.
package main

import (
	"fmt"
	"sync"
	"time"
)

// Editor has a text that is saved.
type Editor struct {
	mu     sync.Mutex
	text   string
	dirty  bool
	timer  *time.Timer
	disk   sync.Mutex
	onDisk string
}

// Edit changes the text, and lets it be saved soon.
func (e *Editor) Edit(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.text, e.dirty = text, true
	if e.timer == nil {
		e.timer = time.AfterFunc(time.Millisecond, e.save)
	} else {
		e.timer.Reset(time.Millisecond)
	}
}

// save writes the text if it has changed.
func (e *Editor) save() {
	e.mu.Lock()
	text, dirty := e.text, e.dirty
	e.dirty = false
	e.mu.Unlock()
	if dirty {
		e.write(text)
	}
}

// write writes to the disk.
func (e *Editor) write(text string) {
	e.disk.Lock()
	defer e.disk.Unlock()
	e.onDisk = text
}

// Close saves what is not saved.
func (e *Editor) Close() {
	e.timer.Stop()
	e.save()
}

func main() {
	e := new(Editor)
	e.Edit("one")
	time.Sleep(4 * time.Millisecond)
	e.Edit("one two")
	e.Close()
	e.disk.Lock()
	defer e.disk.Unlock()
	fmt.Println(e.onDisk)
}
