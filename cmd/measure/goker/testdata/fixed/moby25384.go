// All plugins are waited for when all were started.
package main

import "sync"

func main() {
	plugins := []int{1, 2}
	var group sync.WaitGroup
	group.Add(len(plugins))
	for range plugins {
		go func() {
			defer group.Done()
		}()
	}
	group.Wait()
}
