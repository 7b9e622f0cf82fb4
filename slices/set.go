package slices

// Interval is the set of slices I with Lo ⊆ I ⊆ Hi; it is never empty.
type Interval struct{ Lo, Hi Ideal }

// Contains reports whether slice i is in the interval.
func (iv Interval) Contains(i Ideal) bool { panic("not built yet") }

// Set is an immutable set of slices of one lattice, a finite union of intervals. The
// sets of a binary operation belong to the same lattice.
type Set struct{ l *Lattice }

// IsEmpty reports whether the set has no slice.
func (s Set) IsEmpty() bool { panic("not built yet") }

// Contains reports whether slice i is in the set.
func (s Set) Contains(i Ideal) bool { panic("not built yet") }

// Intervals returns intervals whose union is the set; they may overlap, none contains
// another. They must not be changed.
func (s Set) Intervals() []Interval { panic("not built yet") }

// Union returns s ∪ o ∪ ….
func (s Set) Union(o ...Set) Set { panic("not built yet") }

// Intersect returns s ∩ o.
func (s Set) Intersect(o Set) Set { panic("not built yet") }

// Minus returns s \ o, without computing the complement of o.
func (s Set) Minus(o Set) Set { panic("not built yet") }

// Complement returns all other slices.
func (s Set) Complement() Set { panic("not built yet") }

// Intersects reports whether s and o have a common slice.
func (s Set) Intersects(o Set) bool { panic("not built yet") }

// SubsetOf reports whether every slice of s is in o; if not, it returns one that is not.
func (s Set) SubsetOf(o Set) (bool, Ideal) { panic("not built yet") }

// Equal reports whether s and o have the same slices.
func (s Set) Equal(o Set) bool { panic("not built yet") }

// Below returns the slices strictly below some slice of s: "sometime s".
func (s Set) Below() Set { panic("not built yet") }

// Next returns the slices with a successor in s: "next s".
func (s Set) Next() Set { panic("not built yet") }

// Until returns the slices I with some J > I in q and no slice of bad strictly between I
// and J: "p until q", where bad is where p is false.
func (l *Lattice) Until(bad, q Set) Set { panic("not built yet") }

// Least returns a slice of s with the fewest actions; false if s is empty.
func (s Set) Least() (Ideal, bool) { panic("not built yet") }

// Count returns the number of slices in s, or (limit, false) if there are more than limit.
func (s Set) Count(limit int) (int, bool) { panic("not built yet") }
