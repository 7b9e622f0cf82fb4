// The pool is looked at while a resource is made.
package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/puddle/v2"
)

func main() {
	pool, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return 1, nil },
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
	fmt.Println(pool.Stat().TotalResources() < 2)
	wg.Wait()
	pool.Close()
}
