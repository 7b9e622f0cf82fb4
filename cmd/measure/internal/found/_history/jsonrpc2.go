// A connection is closed while the other side does not read what is sent.
package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

type handler struct{}

func (handler) Handle(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) {}

func main() {
	ctx := context.Background()
	a, _ := net.Pipe()
	conn := jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(a, jsonrpc2.VSCodeObjectCodec{}), handler{})
	sent := make(chan error, 1)
	go func() { sent <- conn.Notify(ctx, "hello", nil) }()
	time.Sleep(20 * time.Millisecond)
	fmt.Println("closed:", conn.Close())
	fmt.Println("sent:", <-sent != nil)
}
