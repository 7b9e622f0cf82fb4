package bdd

// Collect collects at once.
func Collect(t *Table) { t.collect() }

// CollectAlways lets the table collect whenever it may.
func CollectAlways(t *Table) { t.most, t.often, t.least = 0, 0, 0 }

// RememberOne leaves room for one result, for which all others make way.
func RememberOne(t *Table) { t.cache = make([]result, 1) }
