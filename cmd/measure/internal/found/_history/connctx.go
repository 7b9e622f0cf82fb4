// Something is written with a deadline on which the other side has lost interest.
package main

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/pion/transport/connctx"
)

type strict struct{ net.Conn }

func (strict) SetWriteDeadline(time.Time) error { return net.ErrClosed }

func (c strict) Write(b []byte) (int, error) {
	time.Sleep(50 * time.Millisecond)
	return len(b), nil
}

func main() {
	a, _ := net.Pipe()
	conn := connctx.New(strict{a})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	_, err := conn.WriteContext(ctx, []byte("hello"))
	fmt.Println("written:", err)
}
