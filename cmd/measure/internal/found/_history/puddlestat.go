// The pool is looked at while a resource is made.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/puddle/v2"
)

func main() {
	pool, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { time.Sleep(10 * time.Millisecond); return 1, nil },
		Destructor:  func(int) {},
		MaxSize:     2,
	})
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if res, err := pool.Acquire(context.Background()); err == nil {
			res.Release()
		}
	}()
	for range 3 {
		time.Sleep(4 * time.Millisecond)
		fmt.Println(pool.Stat().AcquiredResources())
	}
	wg.Wait()
	pool.Close()
}
