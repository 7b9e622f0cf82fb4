package shiviz_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/ingest/shiviz"
)

// The vector clock of db says that it had heard of web's first event.
func ExampleNewReader() {
	const text = `web {"web":1}
send order
db {"db":1, "web":1}
receive order
`
	r, err := shiviz.NewReader(strings.NewReader(text), "shop.log", shiviz.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for e := new(event.Event); ; {
		err := r.Next(e)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Task, e.Set, "after", e.After)
	}
	// Output:
	// web [{event "send order"}] after []
	// db [{event "receive order"}] after [{web 1}]
}
