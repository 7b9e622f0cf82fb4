// One goroutine looks at events, and stops to watch a directory after the first one.
package main

import (
	"fmt"
	"os"
	"path/filepath"

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
	defer w.Close()
	if err := w.Add(dir); err != nil {
		panic(err)
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o666); err != nil {
			panic(err)
		}
	}
	fmt.Println(filepath.Base((<-w.Events).Name))
	fmt.Println("removed:", w.Remove(dir))
}
