package kafka

import (
	"maps"
	"slices"
	"time"
)

// PartitionStats are numbers about a partition.
type PartitionStats struct {
	Partition int32
	Next      int64 // offset of the next record; negative if unknown
	Lag       int64 // records that wait in the topic
	Queued    int   // bytes of records that are read and wait to be processed
	// records that were deleted before they were read, or skipped since they are too large
	Lost int64

	Unsaved      int64         // records that are in no snapshot
	UnsavedSince time.Time     // when the first of these was taken; zero if there are none
	Snapshot     int           // size of the last one written or read, in bytes
	SnapshotTime time.Duration // how long it took, including all waits before it

	// Busy is since when the present records are processed. It is zero while the partition waits
	// for records, or for brokers.
	Busy time.Time
	// Loaded reports whether the state of the last owner was read.
	Loaded bool
}

// Stats are numbers about a member, or a reader.
type Stats struct {
	Joined     bool // the group; always false for a reader
	Rebalances int64
	Generation int32
	Silent     string           // why no broker answers; "" if one does
	Partitions []PartitionStats // in their order
}

// Stats returns numbers about the member.
func (g *Group) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := Stats{Joined: g.joined, Rebalances: g.rebalances.Load(), Generation: g.generation.Generation,
		Silent: g.network.silent(time.Now())}
	for _, n := range slices.Sorted(maps.Keys(g.partitions)) {
		s.Partitions = append(s.Partitions, g.partitions[n].stats())
	}
	return s
}

// Stats returns numbers about the reader.
func (r *Reader) Stats() Stats {
	s := Stats{Silent: r.network.silent(time.Now())}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range slices.Sorted(maps.Keys(r.at)) {
		at := r.at[n]
		p := PartitionStats{Partition: n, Next: at.next, Lag: max(0, at.high-at.next), Loaded: true}
		if n == r.busyWith {
			p.Busy = r.busy
		}
		s.Partitions = append(s.Partitions, p)
	}
	return s
}
