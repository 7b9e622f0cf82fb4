// A server takes one connection and closes its listener, while two clients dial.
package main

import (
	"fmt"
	"sync"

	"github.com/valyala/fasthttp/fasthttputil"
)

func main() {
	ln := fasthttputil.NewInmemoryListener()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			conn, err := ln.Dial()
			fmt.Println("dialled:", err == nil)
			if err == nil {
				conn.Close()
			}
		}()
	}
	if conn, err := ln.Accept(); err == nil {
		conn.Close()
	}
	fmt.Println("closed:", ln.Close())
	wg.Wait()
}
