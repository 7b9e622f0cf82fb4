// A program in which goroutines of one bubble of testing/synctest fire timers at the same time: one that is reset to the past
// fires at once.
package main

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func main() {
	test := func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			var wg sync.WaitGroup
			var n atomic.Int64
			for range 8 {
				wg.Go(func() {
					for range 500 {
						time.AfterFunc(time.Hour, func() { n.Add(1) }).Reset(-1)
					}
				})
			}
			wg.Wait()
			synctest.Wait()
			if n.Load() != 8*500 {
				t.Errorf("%d of %d timers have fired", n.Load(), 8*500)
			}
		})
	}
	testing.Main(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{Name: "Timers", F: test}}, nil, nil)
}
