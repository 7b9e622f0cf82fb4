// All servers of a balanced client are taken out, it is used nevertheless, and one comes back.
package main

import (
	"fmt"
	"time"

	"github.com/valyala/fasthttp"
)

func do(client *fasthttp.LBClient) {
	defer func() { fmt.Println(recover() != nil) }()
	req, resp := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	req.SetRequestURI("http://localhost/")
	fmt.Println("do:", client.DoTimeout(req, resp, 100*time.Millisecond) != nil)
}

func main() {
	host := &fasthttp.HostClient{Addr: "127.0.0.1:1"}
	client := &fasthttp.LBClient{Clients: []fasthttp.BalancingClient{host}}
	do(client)
	client.RemoveClients(func(fasthttp.BalancingClient) bool { return true })
	do(client)
	client.AddClient(host)
	fmt.Println("added")
}
