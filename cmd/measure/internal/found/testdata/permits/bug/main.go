// Uploads with so many permits; one that fails keeps its permit.
package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

type uploader struct {
	permits chan struct{}
	mu      sync.Mutex
	failed  int
}

func (u *uploader) send(name string) error {
	time.Sleep(time.Millisecond)
	if name == "" {
		return errors.New("no name")
	}
	return nil
}

func (u *uploader) Upload(name string) error {
	u.permits <- struct{}{}
	if err := u.send(name); err != nil {
		u.mu.Lock()
		u.failed++
		u.mu.Unlock()
		return err
	}
	<-u.permits
	return nil
}

func main() {
	u := &uploader{permits: make(chan struct{}, 3)}
	var wg sync.WaitGroup
	for _, name := range []string{"a", "b", "", "c", "d"} {
		wg.Go(func() { fmt.Println(u.Upload(name)) })
	}
	wg.Wait()
}
