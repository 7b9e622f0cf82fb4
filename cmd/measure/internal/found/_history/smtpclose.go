// A mail server is closed when the program ends.
package main

import (
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/emersion/go-smtp"
)

type backend struct{}

func (backend) Login(*smtp.ConnectionState, string, string) (smtp.Session, error) {
	return nil, errors.New("no")
}

func (backend) AnonymousLogin(*smtp.ConnectionState) (smtp.Session, error) {
	return nil, errors.New("no")
}

func main() {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := smtp.NewServer(backend{})
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	time.Sleep(20 * time.Millisecond)
	s.Close()
	fmt.Println("served:", <-served)
}
