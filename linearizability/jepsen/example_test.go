package jepsen_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/antichain-go/antichain/linearizability"
	"github.com/antichain-go/antichain/linearizability/jepsen"
)

func ExampleRead() {
	ops, err := jepsen.Read(strings.NewReader(`
{:process 0, :type :invoke, :f :write, :value 4}
{:process 0, :type :ok, :f :write, :value 4}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value 3}
`), "history.edn")
	if err != nil {
		log.Fatal(err)
	}
	r, err := linearizability.Check(context.Background(), linearizability.Register(nil), ops)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict, ops[r.Evidence.Operation])
	// Output: violated read() -> 3
}
