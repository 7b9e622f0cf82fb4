package goroot

import (
	"fmt"
	"strings"
)

// A capability is an ability of the tracer, with its patches. They are applied all or none: if one
// of them does not fit, only the features that rest on this capability are lost.
type capability struct {
	name  string // unique
	gives string // the features that need it
	needs []*capability

	// The dependent features: the order of events, which every verdict on a specification and every
	// prediction of built-in properties needs; built-in properties; and flags and verbs.
	order      bool
	properties []string
	verbs      []string

	disables []disable
	patches  []patch
	files    map[string]string // new files, by their names below GOROOT/src
	rewrites func(read func(name string) (string, error)) (map[string]string, error)
}

// The built-in properties that look at blocked goroutines, at locks and their copies, and at
// channels. leak looks at the last operation of a goroutine, whatever that is.
var (
	ofWaits    = []string{"deadlock", "stuck", "leak"}
	ofLocks    = []string{"deadlock", "stuck", "unlock", "copy", "leak"}
	ofChannels = []string{"deadlock", "stuck", "closed", "leak"}
	ofAll      = []string{"deadlock", "stuck", "closed", "waitgroup", "unlock", "copy", "leak", "race"}
)

// MemoryAccesses is the capability that Options.Memory asks for.
const MemoryAccesses = "memory accesses"

// capabilities are all of them. Code that several add at one place comes in this order.
var capabilities = []*capability{
	&goroutines, &turns, &channelWaits, &channels, &jointTransfers, &atomics, &mutexes, &rwMutexes, &waitGroups,
	&givenFunctions, &onces, &conditions, &pools, &timers, &bubbles, &coroutines, &cleanups, &threads, &reuse,
	&descriptors, &connections, &signals, &tests,
	&innerOrder, &heap, &memory, &halting, &steering, &lingering, &reachability,
}

// Lack is a capability that an overlay lacks.
type Lack struct {
	Name       string   // of the capability
	Gives      string   // the lost features
	Order      bool     // the order of events is incomplete
	Properties []string // the built-in properties that need it
	Verbs      []string // the flags and verbs that need it
	Why        error
}

// String names the missing capability and the reason.
func (l Lack) String() string { return fmt.Sprintf("%s (%v)", l.Gives, l.Why) }

func (c *capability) missing(why error) Lack {
	return Lack{Name: c.name, Gives: c.gives, Order: c.order, Properties: c.properties, Verbs: c.verbs, Why: why}
}

// CapabilityInfo describes a capability.
type CapabilityInfo struct {
	Name       string
	Gives      string   // the features that need it
	Needs      []string // other capabilities
	Order      bool
	Properties []string
	Verbs      []string
	Patches    []string // their names
}

// Capabilities returns all capabilities of tracing.
func Capabilities() []CapabilityInfo {
	var all []CapabilityInfo
	for _, c := range capabilities {
		info := CapabilityInfo{Name: c.name, Gives: c.gives, Order: c.order, Properties: c.properties, Verbs: c.verbs}
		for _, n := range c.needs {
			info.Needs = append(info.Needs, n.name)
		}
		for _, d := range c.disables {
			info.Patches = append(info.Patches, d.name())
		}
		for _, p := range c.patches {
			info.Patches = append(info.Patches, p.name)
		}
		all = append(all, info)
	}
	return all
}

// hasFlag is the constant by which the hooks know whether a capability is there.
func (c *capability) hasFlag() string {
	words := strings.Fields(c.name)
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return "antichainHas" + strings.Join(words, "")
}
