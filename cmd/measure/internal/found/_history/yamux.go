// A stream is read while the other side closes the session.
package main

import (
	"fmt"
	"net"

	"github.com/hashicorp/yamux"
)

func main() {
	a, b := net.Pipe()
	server, err := yamux.Server(a, nil)
	if err != nil {
		panic(err)
	}
	client, err := yamux.Client(b, nil)
	if err != nil {
		panic(err)
	}
	stream, err := client.Open()
	if err != nil {
		panic(err)
	}
	read := make(chan error)
	go func() {
		_, err := stream.Read(make([]byte, 10))
		read <- err
	}()
	if _, err := server.Accept(); err != nil {
		panic(err)
	}
	server.Close()
	fmt.Println("read:", <-read)
	client.Close()
}
