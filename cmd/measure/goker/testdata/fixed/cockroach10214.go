// The heartbeats are taken over under the one lock and reported under the other, never under both.
package main

import (
	"sync"
	"time"
)

type store struct {
	coalescedMu sync.Mutex
	heartbeats  []int
	replicas    []*replica
}

type replica struct {
	raftMu, mu sync.Mutex
	store      *store
	told       int
}

func (s *store) sendQueued() {
	s.coalescedMu.Lock()
	queued := s.heartbeats
	s.heartbeats = nil
	s.coalescedMu.Unlock()
	for range queued {
		for _, r := range s.replicas {
			r.raftMu.Lock()
			r.told++
			r.raftMu.Unlock()
		}
	}
}

func (r *replica) tick() {
	r.raftMu.Lock()
	defer r.raftMu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.store.coalescedMu.Lock()
	r.store.heartbeats = append(r.store.heartbeats, r.told)
	r.store.coalescedMu.Unlock()
}

func main() {
	s := &store{heartbeats: []int{1, 2}}
	s.replicas = []*replica{{store: s}, {store: s}}
	go s.sendQueued()
	go s.replicas[0].tick()
	time.Sleep(100 * time.Millisecond)
}
