// A client dials a server that is being closed.
package main

import (
	"fmt"
	"sync"

	"github.com/valyala/fasthttp/fasthttputil"
)

func main() {
	ln := fasthttputil.NewInmemoryListener()
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	go func() {
		defer wg.Done()
		if conn, err := ln.Dial(); err == nil {
			conn.Close()
		}
	}()
	if conn, err := ln.Dial(); err == nil {
		conn.Close()
	}
	fmt.Println("closed:", ln.Close())
	wg.Wait()
}
