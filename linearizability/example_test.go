package linearizability_test

import (
	"context"
	"fmt"
	"log"

	"github.com/antichain-go/antichain/linearizability"
)

// A read returns an old value although the write of a new one has returned.
func ExampleCheck() {
	ops := []*linearizability.Operation{
		{Method: "write", Arguments: []linearizability.Value{int64(1)}, Call: 0, Return: 10},
		{Method: "read", Result: int64(1), Call: 5, Return: 7},
		{Method: "read", Result: nil, Call: 8, Return: 9},
	}
	r, err := linearizability.Check(context.Background(), linearizability.Register(nil), ops)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Verdict, ops[r.Evidence.Operation], r.Evidence.States)
	// Output: violated read() -> nil [1]
}

// In the run, two operations overlap that put elements into a queue. Nothing makes them overlap. If
// they do not, the elements come out in the wrong order.
func ExampleCheckOrders() {
	ops := []*linearizability.Operation{
		{Method: "enqueue", Arguments: []linearizability.Value{"a"}, Call: 0, Return: 5},
		{Method: "enqueue", Arguments: []linearizability.Value{"b"}, Call: 1, Return: 6},
		{Method: "dequeue", Result: "b", Call: 7, Return: 8},
	}
	// Both are over before the element is taken.
	before := func(x, y linearizability.Event) bool {
		return x.Operation == y.Operation && !x.Return && y.Return || x.Operation != 2 && y.Operation == 2
	}
	for _, check := range []func() (*linearizability.Result, error){
		func() (*linearizability.Result, error) {
			return linearizability.Check(context.Background(), linearizability.Queue(), ops)
		},
		func() (*linearizability.Result, error) {
			return linearizability.CheckOrders(context.Background(), linearizability.Queue(), ops, before)
		},
	} {
		r, err := check()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Verdict)
	}
	// Output:
	// linearizable
	// violated
}
