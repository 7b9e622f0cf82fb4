// A client subscribes, and gives up after a moment.
package main

import (
	"context"
	"fmt"
	"net/http/httptest"
	"time"

	"github.com/r3labs/sse/v2"
)

func main() {
	server := sse.New()
	server.AutoReplay = false
	server.CreateStream("news")
	web := httptest.NewServer(server)
	client := sse.NewClient(web.URL)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	time.AfterFunc(50*time.Millisecond, func() {
		server.Publish("news", &sse.Event{Data: []byte("hello")})
	})
	err := client.SubscribeWithContext(ctx, "news", func(e *sse.Event) { fmt.Println(string(e.Data)) })
	fmt.Println("subscribed until:", err)
	server.Close()
	web.Close()
}
