package slices

import "github.com/antichain-go/antichain/san"

// Lattice is the lattice of the slices of one net. It caches what it computes about
// single actions and is safe for concurrent use.
type Lattice struct{ net *san.Net }

// NewLattice returns the lattice of the net's slices.
func NewLattice(net *san.Net) *Lattice { panic("not built yet") }

// Net returns the net.
func (l *Lattice) Net() *san.Net { return l.net }

// Bottom returns the initial slice.
func (l *Lattice) Bottom() Ideal { panic("not built yet") }

// Top returns the last slice: all actions.
func (l *Lattice) Top() Ideal { panic("not built yet") }

// Ideal returns the ideal with these numbers of events by task; false if
// that set is not causally closed or does not belong to the net.
func (l *Lattice) Ideal(counts []int) (Ideal, bool) { panic("not built yet") }

// Down returns ↓a: the action and all that precedes it.
func (l *Lattice) Down(a san.Action) Ideal { panic("not built yet") }

// Outside returns ALL \ ↑a: all actions but a and those that follow it.
func (l *Lattice) Outside(a san.Action) Ideal { panic("not built yet") }

// Created reports whether t is created in slice i: it is initial or its spawn is in i.
func (l *Lattice) Created(i Ideal, t san.Task) bool { panic("not built yet") }

// Size returns the number of actions in i; a joint action counts once.
func (l *Lattice) Size(i Ideal) int { panic("not built yet") }

// Maximal returns max(i), the maximal actions of i, by canonical name: those that can be undone.
func (l *Lattice) Maximal(i Ideal) []san.Action { panic("not built yet") }

// Enabled returns min(ALL \ i), the actions that lead to the successors of i, by canonical name.
func (l *Lattice) Enabled(i Ideal) []san.Action { panic("not built yet") }

// Fire returns the successor i ∪ {a}; a must be enabled in i.
func (l *Lattice) Fire(i Ideal, a san.Action) Ideal { panic("not built yet") }

// Containing returns the slices that contain one of the local states (t,from) … (t,to).
func (l *Lattice) Containing(t san.Task, from, to int) Interval { panic("not built yet") }

// Uncreated returns the slices in which t is not created.
func (l *Lattice) Uncreated(t san.Task) Set { panic("not built yet") }

// All returns the set of all slices.
func (l *Lattice) All() Set { panic("not built yet") }

// None returns the empty set.
func (l *Lattice) None() Set { panic("not built yet") }

// Set returns the union of the intervals.
func (l *Lattice) Set(ivs ...Interval) Set { panic("not built yet") }

// Count returns the number of slices, or (limit, false) if there are more than limit.
func (l *Lattice) Count(limit int) (int, bool) { panic("not built yet") }

// Happened reports whether the recorded order of the run passed through slice i.
func (l *Lattice) Happened(i Ideal) bool { panic("not built yet") }

// Schedule returns the actions of to \ from (from ⊆ to) by canonical name, in an order
// that the net allows, with few changes from one task to another. A joint action belongs to all its
// tasks and stands once.
func (l *Lattice) Schedule(from, to Ideal) []san.Action { panic("not built yet") }
