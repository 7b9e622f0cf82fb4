// All servers are taken out of a balanced client while it is used, and one comes back.
package main

import (
	"fmt"
	"time"

	"github.com/valyala/fasthttp"
)

func main() {
	host := &fasthttp.HostClient{Addr: "127.0.0.1:1"}
	client := &fasthttp.LBClient{Clients: []fasthttp.BalancingClient{host}}
	client.RemoveClients(func(fasthttp.BalancingClient) bool { return true })
	func() {
		defer func() { fmt.Println(recover() != nil) }()
		req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
		req.SetRequestURI("http://localhost/")
		fmt.Println("do:", client.DoTimeout(req, resp, 100*time.Millisecond) != nil)
	}()
	client.AddClient(host)
	fmt.Println("added")
}
