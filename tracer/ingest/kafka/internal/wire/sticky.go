package wire

import (
	"maps"
	"slices"
)

// Sticky is the name of the protocol by which the leader of a group assigns partitions: evenly,
// while members keep theirs. Java's StickyAssignor and franz-go's StickyBalancer speak it, too, and
// may be in the same group.
const Sticky = "sticky"

// Subscription is a member's message when it joins.
type Subscription struct {
	Topics     []string
	Owned      map[string][]int32 // its last partitions
	Generation int32              // their generation; -1 is none
}

// Encode returns the metadata of a member, in version 3.
func (s *Subscription) Encode() []byte {
	var data, e encoder
	data.partitions(s.Owned)
	if s.Generation >= 0 { // otherwise it is in the first version, which has none
		data.int32(s.Generation)
	}

	e.int16(3)
	e.array(len(s.Topics))
	for _, topic := range s.Topics {
		e.string(topic)
	}
	e.bytes(data.b)
	e.array(0) // it owns nothing any more when it joins
	e.int32(s.Generation)
	e.null() // rack
	return e.b
}

// partitions appends the partitions of topics.
func (e *encoder) partitions(all map[string][]int32) {
	e.array(len(all))
	for _, topic := range slices.Sorted(maps.Keys(all)) {
		e.string(topic)
		e.array(len(all[topic]))
		for _, p := range all[topic] {
			e.int32(p)
		}
	}
}

func (d *decoder) partitions() map[string][]int32 {
	all := map[string][]int32{}
	for range d.elements() {
		topic := d.string()
		for range d.elements() {
			all[topic] = append(all[topic], d.int32())
		}
	}
	return all
}

// ParseSubscription reads the metadata of a member. It leaves out the owned partitions if they are
// damaged, or missing.
func ParseSubscription(metadata []byte) (s Subscription, ok bool) {
	s.Generation = -1
	d := decoder{b: metadata}
	d.int16() // a newer version has more at the end
	for range d.elements() {
		s.Topics = append(s.Topics, d.string())
	}
	data := decoder{b: d.bytes()}
	owned := data.partitions()
	generation := int32(-1)
	if len(data.b) > 0 { // the first version had none
		generation = data.int32()
	}
	if !data.bad {
		s.Owned, s.Generation = owned, generation
	}
	return s, !d.bad
}

// ParseAssignment reads the partitions that a member has been assigned.
func ParseAssignment(assignment []byte) (partitions map[string][]int32, ok bool) {
	d := decoder{b: assignment}
	if len(assignment) == 0 { // of members unknown to the leader
		return nil, true
	}
	d.int16()
	partitions = d.partitions()
	return partitions, !d.bad
}

// Assign assigns the partitions of topics to members, by their subscriptions. A member with a
// damaged one gets none.
func Assign(members map[string]Subscription, counts map[string]int32) map[string]map[string][]int32 {
	a := newAssignor(members, counts)
	a.keepOwners()
	a.assignFree()
	a.balance()
	plan := map[string]map[string][]int32{}
	for _, id := range a.ids {
		plan[id] = map[string][]int32{}
		for _, p := range a.has[id] {
			plan[id][p.Topic] = append(plan[id][p.Topic], p.Partition)
		}
		for _, numbers := range plan[id] {
			slices.Sort(numbers)
		}
	}
	return plan
}

// EncodeAssignment returns the leader's message to a member.
func EncodeAssignment(partitions map[string][]int32) []byte {
	var e encoder
	e.int16(0)
	e.partitions(partitions)
	e.int32(-1) // no data
	return e.b
}

type assignor struct {
	members map[string]Subscription
	counts  map[string]int32
	ids     []string // of the members, in their order
	has     map[string][]TopicPartition
	owner   map[TopicPartition]string
}

func newAssignor(members map[string]Subscription, counts map[string]int32) *assignor {
	return &assignor{
		members: members, counts: counts, ids: slices.Sorted(maps.Keys(members)),
		has: map[string][]TopicPartition{}, owner: map[TopicPartition]string{},
	}
}

// keepOwners gives partitions to their last owners. A member that was away may claim partitions
// that others have by now.
func (a *assignor) keepOwners() {
	since := map[TopicPartition]int32{}
	for _, id := range a.ids {
		s := a.members[id]
		for topic, numbers := range s.Owned {
			for _, n := range numbers {
				p := TopicPartition{topic, n}
				last, claimed := since[p]
				if n >= 0 && n < a.counts[topic] && a.reads(id, topic) && (!claimed || s.Generation > last) {
					since[p], a.owner[p] = s.Generation, id
				}
			}
		}
	}
	for _, p := range a.all() {
		if id, ok := a.owner[p]; ok {
			a.has[id] = append(a.has[id], p)
		}
	}
}

// all returns all partitions, in their order.
func (a *assignor) all() (all []TopicPartition) {
	for _, topic := range slices.Sorted(maps.Keys(a.counts)) {
		for n := range a.counts[topic] {
			all = append(all, TopicPartition{topic, n})
		}
	}
	return all
}

func (a *assignor) reads(id, topic string) bool { return slices.Contains(a.members[id].Topics, topic) }

// assignFree gives each free partition to the member that has fewest.
func (a *assignor) assignFree() {
	for _, p := range a.all() {
		if _, ok := a.owner[p]; ok {
			continue
		}
		if id, ok := a.least(p.Topic); ok {
			a.has[id] = append(a.has[id], p)
		}
	}
}

// least returns the member with the fewest partitions among those that read a topic.
func (a *assignor) least(topic string) (least string, ok bool) {
	for _, id := range a.ids {
		if a.reads(id, topic) && (!ok || len(a.has[id]) < len(a.has[least])) {
			least, ok = id, true
		}
	}
	return least, ok
}

// balance moves partitions, from the members with most first, while a member has two more than
// another one that could have one of them.
func (a *assignor) balance() {
	byLoad := slices.Clone(a.ids)
	for moved := true; moved; {
		slices.SortStableFunc(byLoad, func(x, y string) int { return len(a.has[y]) - len(a.has[x]) })
		moved = slices.ContainsFunc(byLoad, a.moveOne)
	}
}

// moveOne moves a partition of a member to one that has at least two fewer, and reports whether
// there is one.
func (a *assignor) moveOne(from string) bool {
	for i, p := range slices.Backward(a.has[from]) {
		if to, _ := a.least(p.Topic); len(a.has[to])+2 <= len(a.has[from]) {
			a.has[from] = slices.Delete(a.has[from], i, i+1)
			a.has[to] = append(a.has[to], p)
			return true
		}
	}
	return false
}
