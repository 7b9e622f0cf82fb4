//go:build unix

package main

import (
	"fmt"
	"strings"

	"github.com/antichain-go/antichain/tlcheck/model/gcl"
)

// modelProperty is what is asked about a model.
type modelProperty struct {
	property string // its name
	formula  string // "" for all states
	kind     spinKind
	holds    bool
}

// allStates are counted.
var allStates = modelProperty{property: "all states", kind: everyState, holds: true}

// always is a property of states.
func always(name, condition string, holds bool) modelProperty {
	return modelProperty{name, "G " + condition, badState, holds}
}

// onPaths is a property of paths.
func onPaths(name, formula string, holds bool) modelProperty {
	return modelProperty{name, formula, badLoop, holds}
}

// studiedModel is a model with its properties. Those that hold come first.
type studiedModel struct {
	name       string
	small      modelParameters // as the tests have it
	medium     modelParameters // with -short
	large      modelParameters // as it is measured
	properties func(n int64) []modelProperty
}

// sized returns parameters from their names and values in turn.
func sized(n int64, more ...gcl.Parameter) modelParameters {
	return append(modelParameters{{Name: "n", Value: n}}, more...)
}

func mostOf(value int64) gcl.Parameter { return gcl.Parameter{Name: "most", Value: value} }
func kOf(value int64) gcl.Parameter    { return gcl.Parameter{Name: "k", Value: value} }

// each returns what is said of process i, for all processes, joined by an operator.
func each(n int64, said, operator string) string {
	var parts []string
	for i := range n {
		parts = append(parts, strings.ReplaceAll(said, "#", fmt.Sprint(i+1)))
	}
	return "(" + strings.Join(parts, operator) + ")"
}

// noTwo says that of two processes what is said of one of them is not true of both.
func noTwo(said []string) string {
	var pairs []string
	for i := range said {
		for j := range i {
			pairs = append(pairs, fmt.Sprintf("!(%s & %s)", said[j], said[i]))
		}
	}
	return "(" + strings.Join(pairs, " & ") + ")"
}

// exclusive says that no two processes are at a place.
func exclusive(n int64, at string) modelProperty {
	var places []string
	for i := range n {
		places = append(places, fmt.Sprintf("P%d.at.%s", i+1, at))
	}
	return always("mutual exclusion", noTwo(places), true)
}

// oneToken says that exactly one process of the ring may move. Some process always may.
func oneToken(n int64) string {
	tokens := []string{fmt.Sprintf("x1 == x%d", n)}
	for i := int64(2); i <= n; i++ {
		tokens = append(tokens, fmt.Sprintf("x%d != x%d", i, i-1))
	}
	return noTwo(tokens)
}

// studiedModels are models of the kind of BEEM (R. Pelánek, "BEEM: Benchmarks for Explicit Model
// Checkers", 2007) and of the Model Checking Contest.
var studiedModels = []studiedModel{
	{"bakery", sized(3, mostOf(3)), sized(4, mostOf(3)), sized(5, mostOf(2)), func(n int64) []modelProperty {
		return []modelProperty{exclusive(n, "crit"), always("no largest ticket", "!(number1 == most)", false)}
	}},
	{"filter", sized(3), sized(4), sized(5), func(n int64) []modelProperty {
		return []modelProperty{exclusive(n, "crit"), onPaths("P1 gets in again", "G F P1.at.crit", false)}
	}},
	{"szymanski", sized(3), sized(4), sized(5), func(n int64) []modelProperty {
		return []modelProperty{exclusive(n, "crit"), onPaths("some get in again", "G F "+each(n, "P#.at.crit", " | "), false)}
	}},
	{"lamport", sized(3), sized(4), sized(5), func(n int64) []modelProperty {
		return []modelProperty{exclusive(n, "crit"), onPaths("P1 gets in", "G (P1.at.second -> F P1.at.crit)", false)}
	}},
	{"leader", sized(4), sized(8), sized(11), func(n int64) []modelProperty {
		return []modelProperty{
			onPaths("there will be a leader", "F "+each(n, "P#.at.leader", " | "), true),
			exclusive(n, "leader"),
			onPaths("the last one will lead", fmt.Sprintf("F P%d.at.leader", n), false),
		}
	}},
	{"tokens", sized(3, kOf(3)), sized(5, kOf(5)), sized(6, kOf(7)), func(n int64) []modelProperty {
		return []modelProperty{
			onPaths("in the end one token", "F G "+oneToken(n), true),
			onPaths("P1 rests in the end", "F G x1 == x2", false),
		}
	}},
	{"elevator", sized(3, kOf(3)), sized(4, kOf(3)), sized(5, kOf(3)), func(n int64) []modelProperty {
		return []modelProperty{
			always("room for two", "!(P1.at.ride & P2.at.ride & P3.at.ride)", true),
			onPaths("who calls gets in", "G (P1.at.call -> F P1.at.ride)", false),
		}
	}},
	{"window", sized(2, kOf(3)), sized(5, kOf(6)), sized(9, kOf(10)), func(int64) []modelProperty {
		return []modelProperty{always("each frame once", "!Receiver.at.wrong", true), onPaths("frames arrive again", "G F due == 0", false)}
	}},
	{"kanban", sized(2), sized(4), sized(6), func(int64) []modelProperty {
		return []modelProperty{always("cards of cell 4", "!(m4 == n & out4 == n)", true), always("cell 4 is never done", "!(out4 == n)", false)}
	}},
	{"buffer", sized(2, kOf(2)), sized(4, kOf(2)), sized(5, kOf(2)), func(n int64) []modelProperty {
		return []modelProperty{exclusive(n, "put"), always("never filled", "!(filled == k)", false)}
	}},
}

// modelRows are the rows of the table.
func modelRows(short bool) []modelRow {
	var rows []modelRow
	for _, m := range studiedModels {
		parameters := m.large
		if short {
			parameters = m.medium
		}
		rows = append(rows, m.rows(parameters)...)
	}
	return rows
}

// rows returns the rows of a model with some parameters, the first of which is n.
func (m *studiedModel) rows(parameters modelParameters) []modelRow {
	var rows []modelRow
	for _, p := range append([]modelProperty{allStates}, m.properties(parameters[0].Value)...) {
		rows = append(rows, modelRow{m.name, parameters, p})
	}
	return rows
}
