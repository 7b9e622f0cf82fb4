// Package models loads what formulas of temporal logic are checked on: finite-state programs, structures that are written out in
// JSON, and recorded runs, whose states are their global states. A Source names a file, Keys are a model in a question of a batch, and a Cache
// keeps what was made of a model for the questions that follow. A run with many states comes as a space of sets of them.
package models
