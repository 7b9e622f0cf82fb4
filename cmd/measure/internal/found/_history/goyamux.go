// Both sides close a session in which one has just opened a stream.
package main

import (
	"context"
	"fmt"
	"net"
	"sync"

	"github.com/libp2p/go-yamux/v5"
)

func main() {
	a, b := net.Pipe()
	server, err := yamux.Server(a, nil, nil)
	if err != nil {
		panic(err)
	}
	client, err := yamux.Client(b, nil, nil)
	if err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		if s, err := server.AcceptStream(); err == nil {
			_ = s.Reset()
		}
		fmt.Println("server:", server.Close())
	}()
	if s, err := client.OpenStream(context.Background()); err == nil {
		_, _ = s.Write([]byte("hello"))
	}
	fmt.Println("client:", client.Close())
	wg.Wait()
}
