// Two goroutines close a watcher: one that stops the program, and one that leaves.
package main

import (
	"fmt"
	"os"
	"sync"

	"github.com/fsnotify/fsnotify"
)

func main() {
	dir, err := os.MkdirTemp("", "watched-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	w, err := fsnotify.NewWatcher()
	if err != nil {
		panic(err)
	}
	if err := w.Add(dir); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		fmt.Println("stopped:", w.Close())
	}()
	fmt.Println("left:", w.Close())
	wg.Wait()
}
