package clock

// covers reports whether a is above b, but for one task.
func (a *Clock) covers(b *Clock, but int32) bool {
	switch {
	case a == b || b == nil:
		return true
	case a == nil:
		a = new(Clock)
	}
	for _, e := range b.late[:b.lates] {
		if e.task != but && a.At(e.task) < e.k {
			return false
		}
	}
	if !a.coversTwig(b.first, a.first, 0, but) {
		return false
	}
	for i, x := range b.boughs {
		var y *bough
		if i < len(a.boughs) {
			y = a.boughs[i]
		}
		if !coversPart(x, y, int32(i)<<boughShift, branchShift, but, a.coversBranch) {
			return false
		}
	}
	return true
}

// The rest compares parts of another trie with those of a, where they are not the same memory. Their
// first task is at.

func (a *Clock) coversBranch(theirs, ours *branch, at, but int32) bool {
	return coversPart(theirs, ours, at, twigShift, but, a.coversTwig)
}

func (a *Clock) coversTwig(theirs, ours *twig, at, but int32) bool {
	return coversPart(theirs, ours, at, leafShift, but, a.coversLeaf)
}

func (a *Clock) coversLeaf(theirs, ours *leaf, at, but int32) bool {
	if theirs == ours || theirs == nil {
		return true
	}
	if ours == nil {
		ours = new(leaf)
	}
	for i, k := range theirs {
		if task := at + int32(i); k > ours[i] && task != but && a.At(task) < k {
			return false
		}
	}
	return true
}

func coversPart[P any](theirs, ours *[16]*P, at int32, shift uint, but int32, covers func(theirs, ours *P, at, but int32) bool) bool {
	if theirs == ours || theirs == nil {
		return true
	}
	for i, x := range theirs {
		var y *P
		if ours != nil {
			y = ours[i]
		}
		if x != y && !covers(x, y, at+int32(i)<<shift, but) {
			return false
		}
	}
	return true
}
