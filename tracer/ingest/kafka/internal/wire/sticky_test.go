package wire

import (
	"maps"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
	"pgregory.net/rapid"
)

var (
	topicNames = []string{"a", "b", "c"}
	drawOwned  = rapid.MapOf(rapid.SampledFrom(topicNames),
		rapid.SliceOfNDistinct(rapid.Int32Range(0, 9), 1, 5, rapid.ID))
)

// A subscription equals that of franz-go.
func TestSubscriptionAsOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Subscription{
			Topics: rapid.SliceOf(rapid.SampledFrom(topicNames)).Draw(t, "topics"), Owned: drawOwned.Draw(t, "owned"),
			Generation: rapid.Int32Range(-1, 9).Draw(t, "generation"),
		}
		theirs := kgo.StickyBalancer().JoinGroupMetadata(s.Topics, s.Owned, s.Generation)
		if ours := s.Encode(); !slices.Equal(ours, theirs) {
			t.Fatalf("%x, not %x", ours, theirs)
		}
		got, ok := ParseSubscription(theirs)
		if !ok || !slices.Equal(got.Topics, s.Topics) || got.Generation != s.Generation ||
			!maps.EqualFunc(got.Owned, s.Owned, slices.Equal[[]int32]) {
			t.Fatalf("%+v, not %+v", got, s)
		}
	})
}

// Metadata of the first version has neither a generation nor what is behind it, and that of no
// member must be sound.
func TestSubscriptionOfOld(t *testing.T) {
	meta := kmsg.ConsumerMemberMetadata{Topics: []string{"a"}}
	sticky := kmsg.StickyMemberMetadata{CurrentAssignment: []kmsg.StickyMemberMetadataCurrentAssignment{{Topic: "a",
		Partitions: []int32{1}}}}
	data := sticky.AppendTo(nil)
	meta.UserData = data[:len(data)-4]
	if s, ok := ParseSubscription(meta.AppendTo(nil)); !ok || s.Generation != -1 ||
		!slices.Equal(s.Owned["a"], []int32{1}) {
		t.Errorf("%+v, %v", s, ok)
	}
	meta.UserData = data[:len(data)-7]
	if s, ok := ParseSubscription(meta.AppendTo(nil)); !ok || len(s.Owned) > 0 ||
		!slices.Equal(s.Topics, []string{"a"}) {
		t.Errorf("%+v, %v", s, ok)
	}
	if s, ok := ParseSubscription([]byte{0, 0, 0, 0, 0, 9}); ok {
		t.Errorf("%+v", s)
	}
}

// Other clients read our leader's assignments, and our members theirs.
func TestAssignmentAsOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawOwned.Draw(t, "partitions")
		b := EncodeAssignment(want)
		theirs, err := kgo.ParseConsumerSyncAssignment(b)
		ours, ok := ParseAssignment(b)
		if err != nil || !ok || !maps.EqualFunc(theirs, want, slices.Equal[[]int32]) ||
			!maps.EqualFunc(ours, want, slices.Equal[[]int32]) {
			t.Fatalf("%v and %v (%v), not %v", theirs, ours, err, want)
		}
	})
	if none, ok := ParseAssignment(nil); !ok || len(none) > 0 {
		t.Errorf("%v", none)
	}
	if got, ok := ParseAssignment([]byte{0, 0, 0, 0, 0, 9}); ok {
		t.Errorf("%v", got)
	}
}

// group is a group whose members come and go, and remember what they had.
type group struct {
	members    map[string]Subscription
	counts     map[string]int32
	generation int32
}

// balance assigns, and fails unless each partition of a topic with readers has one owner, which
// reads the topic.
func (g *group) balance(t *rapid.T) map[string]map[string][]int32 {
	plan := Assign(g.members, g.counts)
	owners := map[TopicPartition]int{}
	for id, topics := range plan {
		for topic, numbers := range topics {
			if !slices.Contains(g.members[id].Topics, topic) {
				t.Fatalf("%s does not read %s", id, topic)
			}
			for _, n := range numbers {
				owners[TopicPartition{topic, n}]++
			}
		}
	}
	for topic, count := range g.counts {
		for n := range count {
			if got := owners[TopicPartition{topic, n}]; got != min(1, g.readers(topic)) {
				t.Fatalf("%d owners of %s %d", got, topic, n)
			}
			delete(owners, TopicPartition{topic, n})
		}
	}
	if len(owners) > 0 || len(plan) != len(g.members) {
		t.Fatalf("partitions that there are not: %v; %d members", owners, len(plan))
	}
	g.generation++
	for id, topics := range plan {
		g.members[id] = Subscription{g.members[id].Topics, topics, g.generation}
	}
	return plan
}

func (g *group) readers(topic string) (n int) {
	for _, s := range g.members {
		if slices.Contains(s.Topics, topic) {
			n++
		}
	}
	return n
}

func size(topics map[string][]int32) (n int) {
	for _, numbers := range topics {
		n += len(numbers)
	}
	return n
}

// Members of one topic, who come and go, have equally many partitions, and no more partitions move
// than have to.
func TestAssignEvenly(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &group{members: map[string]Subscription{},
			counts: map[string]int32{"a": rapid.Int32Range(1, 30).Draw(t, "partitions")}}
		var before map[string]map[string][]int32
		for range rapid.IntRange(1, 5).Draw(t, "rounds") {
			id := string(rune('a' + rapid.IntRange(0, 5).Draw(t, "member")))
			if _, ok := g.members[id]; ok && len(g.members) > 1 {
				delete(g.members, id)
			} else if !ok {
				g.members[id] = Subscription{Topics: []string{"a"}, Generation: -1}
			}
			plan := g.balance(t)
			count := int(g.counts["a"])
			low, kept := count/len(plan), 0
			for id, topics := range plan {
				if n := size(topics); n != low && n != low+1 {
					t.Fatalf("%s has %d of %d, with %d members", id, n, count, len(plan))
				}
				for _, n := range topics["a"] {
					if slices.Contains(before[id]["a"], n) {
						kept++
					}
				}
			}
			if want := mostKept(before, plan, count); kept < want {
				t.Fatalf("%d partitions stay, not %d: %v, %v", kept, want, before, plan)
			}
			before = plan
		}
	})
}

// mostKept returns how many partitions could stay where they were.
func mostKept(before, after map[string]map[string][]int32, count int) (kept int) {
	low, more := count/len(after), count%len(after) // so many members may have one more
	for _, id := range slices.SortedFunc(maps.Keys(after),
		func(a, b string) int { return size(before[b]) - size(before[a]) }) {
		most := low
		if more > 0 && size(before[id]) > low {
			most++
			more--
		}
		kept += min(size(before[id]), most)
	}
	return kept
}

// Members of different topics, who may say anything, get what there is.
func TestAssignAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := &group{members: map[string]Subscription{}, counts: map[string]int32{}}
		for _, topic := range topicNames {
			g.counts[topic] = rapid.Int32Range(0, 8).Draw(t, "partitions")
		}
		for _, id := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"x", "y", "z"}), 1, 3, rapid.ID).Draw(t,
			"members") {
			g.members[id] = Subscription{
				Topics:     rapid.SliceOf(rapid.SampledFrom(topicNames)).Draw(t, "topics"),
				Owned:      drawOwned.Draw(t, "owned"),
				Generation: rapid.Int32Range(-1, 3).Draw(t, "generation"),
			}
		}
		first := g.balance(t)
		if again := g.balance(t); !maps.EqualFunc(first, again,
			func(a, b map[string][]int32) bool { return maps.EqualFunc(a, b, slices.Equal[[]int32]) }) {
			t.Fatalf("%v becomes %v", first, again)
		}
	})
}

// The claim of the newest generation counts.
func TestAssignNewest(t *testing.T) {
	claims := func(generation int32) Subscription {
		return Subscription{[]string{"a"}, map[string][]int32{"a": {0}}, generation}
	}
	for newest := range 3 {
		members := map[string]Subscription{"x": claims(1), "y": claims(1), "z": claims(1)}
		id := string(rune('x' + newest))
		members[id] = claims(2)
		if plan := Assign(members, map[string]int32{"a": 1}); size(plan[id]) != 1 {
			t.Errorf("%v", plan)
		}
	}
}
