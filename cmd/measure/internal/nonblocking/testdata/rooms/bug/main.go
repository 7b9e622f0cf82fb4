// Command rooms opens a chat room when the first guest comes.
//
// Bug: the room is looked up and stored in two steps, so two guests can each open a room of the same name.
// A report has to name property exclusive_find.
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// A Room has guests.
type Room struct {
	name   string
	guests atomic.Int64
}

// House has rooms by name.
type House struct {
	rooms  sync.Map
	opened atomic.Int64
}

// find returns the room with a name, and opens it if there is none.
func (h *House) find(name string) *Room {
	if r, ok := h.rooms.Load(name); ok {
		return r.(*Room)
	}
	r := &Room{name: name}
	h.opened.Add(1)
	h.rooms.Store(name, r)
	return r
}

// Enter lets a guest enter a room.
func (h *House) Enter(name string) {
	h.find(name).guests.Add(1)
}

// Guests returns how many are in a room.
func (h *House) Guests(name string) int64 {
	r, ok := h.rooms.Load(name)
	if !ok {
		return 0
	}
	return r.(*Room).guests.Load()
}

func main() {
	house := new(House)
	var guests sync.WaitGroup
	for _, room := range []string{"kitchen", "kitchen"} {
		guests.Go(func() { house.Enter(room) })
	}
	guests.Wait()
	fmt.Println("somebody is in the kitchen:", house.Guests("kitchen") > 0)
}
