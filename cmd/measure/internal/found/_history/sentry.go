// Two parts of a program that share a transport close it when they end.
package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	transport := sentry.NewHTTPTransport()
	transport.Configure(sentry.ClientOptions{Dsn: "http://key@127.0.0.1:1/1"})
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer func() { fmt.Println(recover()) }()
			transport.Flush(10 * time.Millisecond)
			transport.Close()
		}()
	}
	wg.Wait()
}
