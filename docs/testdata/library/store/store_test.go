package store

import (
	"testing"

	"github.com/antichain-go/antichain/tlcheck/tltest"
)

const exclusive = "property exclusive: not (a:(in.write) and b:(in.write)) if a != b"

// record makes events of what a store does.
func record(s *Store) *tltest.Recorder {
	r := tltest.NewRecorder()
	s.Hook = func(client, does string) {
		task := r.Task(client)
		switch does {
		case "lock":
			task.Lock("store")
		case "begin":
			task.Enter("write")
		case "end":
			task.Exit("write")
		case "unlock":
			task.Unlock("store")
		}
	}
	return r
}

func TestWrite(t *testing.T) {
	s := new(Store)
	r := record(s)
	s.Write("web", "a")
	s.Write("db", "b")
	tltest.Check(t, exclusive, r)
}

// This test fails, although the clients write one after the other: nothing orders them.
func TestHurriedWrite(t *testing.T) {
	s := &Store{Hurried: true}
	r := record(s)
	s.Write("web", "a")
	s.Write("db", "b")
	tltest.Check(t, exclusive, r)
}
