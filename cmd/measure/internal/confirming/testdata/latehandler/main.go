// Command latehandler serves HTTP. A handler leaves a goroutine behind that sends its result; who collects the results closes the
// channel when the server has shut down, which waits for handlers only.
package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

type service struct{ visits chan string }

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go s.count(r.URL.Path)
	fmt.Fprintln(w, "hello")
}

func (s *service) count(path string) {
	s.visits <- path
}

func main() {
	s := &service{make(chan string, 8)}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: s}
	go server.Serve(listener)
	response, err := http.Get("http://" + listener.Addr().String() + "/home")
	if err != nil {
		panic(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	time.Sleep(20 * time.Millisecond)
	if err := server.Shutdown(context.Background()); err != nil {
		panic(err)
	}
	close(s.visits)
	for visit := range s.visits {
		fmt.Println(visit)
	}
}
