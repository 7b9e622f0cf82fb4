package tlcheck_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/san"
	"github.com/antichain-go/antichain/tlcheck/spec"
	"github.com/antichain-go/antichain/tracer/event"
)

// netOf reads a trace and builds its net.
func netOf(t testing.TB, trace string) *san.Net {
	t.Helper()
	r := event.NewTextReader(strings.NewReader(trace), "trace")
	h, err := r.Header()
	if err != nil {
		t.Fatal(err)
	}
	b, err := san.NewBuilder(h)
	if err != nil {
		t.Fatal(err)
	}
	for {
		var e event.Event
		err := r.Next(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = b.Add(&e, r.Pos())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	net, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return net
}

// fataler is a test, of package testing or rapid.
type fataler interface {
	Helper()
	Fatal(args ...any)
}

// property reads a formula as given with -e.
func property(t fataler, src string) *spec.Property {
	t.Helper()
	p, err := spec.ParseFormula(src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
