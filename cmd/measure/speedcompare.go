//go:build unix

package main

import (
	"fmt"
	"math"
)

// What counts as slower: a table by the geometric mean of its rows, and a row by itself if it is so
// twice. A row of noise is seldom noise again.
const (
	slowTable = 1.05
	slowRow   = 1.15
)

// comparison is what was measured of a row: what it takes now beside what it took.
type comparison struct {
	table, row string
	first      float64
	again      float64 // 0 if once was enough
}

// compare measures a row, and once more if it seems to be slower.
func compare(table, row string, measure func() (float64, error)) (c comparison, err error) {
	c = comparison{table: table, row: row}
	if c.first, err = measure(); err != nil || c.first <= slowRow {
		return c, err
	}
	c.again, err = measure()
	return c, err
}

// ratio is what counts of a row: what was measured last.
func (c *comparison) ratio() float64 {
	if c.again > 0 {
		return c.again
	}
	return c.first
}

func (c *comparison) slow() bool { return c.first > slowRow && c.again > slowRow }

// geometricMean is that of the rows of a table; 1 if it has none.
func geometricMean(rows []comparison) float64 {
	if len(rows) == 0 {
		return 1
	}
	sum := 0.0
	for i := range rows {
		sum += math.Log(rows[i].ratio())
	}
	return math.Exp(sum / float64(len(rows)))
}

// slower says what has become slower.
func slower(tables [][]comparison) (said []string) {
	for _, rows := range tables {
		if mean := geometricMean(rows); mean > slowTable {
			said = append(said, fmt.Sprintf("%s: the geometric mean is %.3f, above %.2f", rows[0].table, mean, slowTable))
		}
		for i := range rows {
			if c := &rows[i]; c.slow() {
				said = append(said, fmt.Sprintf("%s, %s: %.2f, and %.2f again, above %.2f", c.table, c.row, c.first, c.again, slowRow))
			}
		}
	}
	return said
}

// middleRatio is the median of the ratios of each pair of runs, which follow each other: so the
// pace of a machine, which changes with what else it does, is about that of both.
func middleRatio(base, this []float64) float64 {
	var ratios []float64
	for i := range base {
		ratios = append(ratios, this[i]/base[i])
	}
	return median(ratios)
}
