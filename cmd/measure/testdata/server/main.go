// Command server is a server under load: server KIND CLIENT REQUESTS. It starts CLIENT, this program built plainly, as a process of its own,
// which sends REQUESTS requests from 16 goroutines with a connection each. It prints when it began and when the last one was served, the nanoseconds that a request took and the
// 99th percentile of its latency, how many requests there were with those before the clock started, and the nanoseconds of processor time
// that one took in the server and in the client.
package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// service is one way to serve the store.
type service struct {
	serve func(net.Listener) (stop func())
	dial  func(address string) (get, put func(key string) error, hangUp func())
}

var services = map[string]service{
	"http": {serveHTTP, dialHTTP},
	"grpc": {serveGRPC, dialGRPC},
}

func main() {
	begun := time.Now()
	if len(os.Args) != 4 {
		fail("usage: server KIND CLIENT REQUESTS, or server KIND ADDRESS REQUESTS")
	}
	s, ok := services[os.Args[1]]
	if !ok {
		fail("no service " + os.Args[1])
	}
	n, err := strconv.Atoi(os.Args[3])
	if err != nil || n < clients {
		fail("too few requests")
	}
	if _, _, err := net.SplitHostPort(os.Args[2]); err == nil {
		load(s, os.Args[2], n)
		return
	}
	fmt.Println("begun", begun.UnixNano())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	stop := s.serve(listener)
	client := exec.Command(os.Args[2], os.Args[1], listener.Addr().String(), os.Args[3])
	client.Stdout, client.Stderr = os.Stdout, os.Stderr
	before := cpu()
	must(client.Run())
	fmt.Println("served", time.Now().UnixNano())
	served := cpu() - before
	stop()
	requests := float64(n + clients*warmUp(n))
	fmt.Printf("requests %.0f\n", requests)
	fmt.Printf("cpu/op %.2f\n", float64(served)/requests)
	fmt.Printf("client/op %.2f\n", float64(client.ProcessState.UserTime()+client.ProcessState.SystemTime())/requests)
}

// cpu is the processor time of this process so far.
func cpu() time.Duration {
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func must(err error) {
	if err != nil {
		fail(err)
	}
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, "server:", why)
	os.Exit(2)
}
