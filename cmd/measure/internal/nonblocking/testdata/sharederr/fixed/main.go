// Command sharederr checks several files, and tells of one that is wrong.
package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
)

// A document is a file with its text.
type document struct{ name, text string }

// read reads a document.
func read(name string) (document, error) {
	if name == "" {
		return document{}, errors.New("no name")
	}
	return document{name, "title: " + name}, nil
}

// check looks for what a document must have.
func check(d document) error {
	if !strings.HasPrefix(d.text, "title: ") {
		return fmt.Errorf("%s has no title", d.name)
	}
	return nil
}

// checkAll reads all documents, and checks them at the same time.
func checkAll(names []string) error {
	var wg sync.WaitGroup
	failures := make(chan error, len(names)+1)
	for _, name := range names {
		d, err := read(name)
		if err != nil {
			failures <- err
			break
		}
		wg.Go(func() {
			err := check(d)
			if err != nil {
				failures <- err
			}
		})
	}
	wg.Wait()
	close(failures)
	return <-failures
}

func main() {
	if err := checkAll([]string{"intro", "usage", "faq"}); err != nil {
		fmt.Println("wrong:", err)
		return
	}
	fmt.Println("all right")
}
