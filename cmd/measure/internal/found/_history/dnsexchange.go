// A client that has no time-out of its own asks two servers at once.
package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/miekg/dns"
)

func main() {
	client := &dns.Client{Timeout: 50 * time.Millisecond}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	for _, server := range []string{"127.0.0.1:1", "127.0.0.1:2"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			query := new(dns.Msg)
			query.SetQuestion("example.org.", dns.TypeA)
			_, _, err := client.ExchangeContext(ctx, query, server)
			fmt.Println(err != nil)
		}()
	}
	wg.Wait()
}
