// Command chat sends what one member says to all others.
package main

import (
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// Member is somebody in a room.
type Member struct {
	mu   sync.Mutex
	name string
	gone bool
	late int
}

// deliver writes to a member.
func (m *Member) deliver(text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.gone {
		m.late++
	}
}

// hangUp ends the connection of a member.
func (m *Member) hangUp() {
	m.mu.Lock()
	m.gone = true
	m.mu.Unlock()
}

// Room has members.
type Room struct {
	mu      sync.RWMutex
	members []*Member
}

// Say sends a text to all members.
func (r *Room) Say(text string) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	members := slices.Clone(r.members)
	for _, m := range members {
		m.deliver(text)
	}
}

// Leave lets a member leave.
func (r *Room) Leave(m *Member) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members = slices.DeleteFunc(r.members, func(o *Member) bool { return o == m })
	m.hangUp()
}

func main() {
	ann, bob := &Member{name: "ann"}, &Member{name: "bob"}
	r := &Room{members: []*Member{ann, bob}}
	var wg sync.WaitGroup
	wg.Go(func() { r.Say("good morning") })
	wg.Go(func() {
		time.Sleep(50 * time.Millisecond)
		r.Leave(ann)
	})
	wg.Go(func() {
		time.Sleep(100 * time.Millisecond)
		r.Say("good night")
	})
	wg.Wait()
	fmt.Println("late:", ann.late+bob.late)
	if ann.late+bob.late > 0 {
		os.Exit(1)
	}
}
