// Metrics are sent to an agent, and the client is closed at the end.
package main

import (
	"fmt"
	"net"
	"time"

	"github.com/DataDog/datadog-go/statsd"
)

func main() {
	agent, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer agent.Close()
	client, err := statsd.New(agent.LocalAddr().String(), statsd.WithBufferFlushInterval(20*time.Millisecond))
	if err != nil {
		panic(err)
	}
	_ = client.Incr("requests", nil, 1)
	time.Sleep(50 * time.Millisecond)
	_ = client.Incr("requests", nil, 1)
	fmt.Println("closed:", client.Close())
}
