package bdd

// Collect collects at once.
func Collect(t *Table) { t.collect() }

// CollectAlways lets the table collect whenever it may.
func CollectAlways(t *Table) { t.collectAt, t.growth, t.least = 0, 0, 0 }

// RememberOne leaves room for one result, for which all others make way.
func RememberOne(t *Table) { t.cache = make([]result, 1) }

// AndExists returns the conjunction of f and g, with the variables of the cube quantified.
func (f *Function) AndExists(g, cube *Function) *Function {
	f.table.collectIfDue()
	return f.table.function(f.table.andExists(f.root, g.root, cube.root))
}

// IsTrue reports whether the function is true everywhere.
func (f *Function) IsTrue() bool { return f.root == yes }

// Nodes returns the number of nodes, including those that are not yet collected.
func (t *Table) Nodes() int { return t.used }
