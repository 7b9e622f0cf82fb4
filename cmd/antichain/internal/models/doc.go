// Package models loads the models on which formulas of temporal logic are checked.
//
// A model is a finite-state program, a structure written in JSON, or a recorded run, whose states
// are its global states. A Source names a file, and Keys name a model in a question of a batch. A
// Cache keeps a loaded model for later questions. A run with many states is loaded as a space of
// sets of states.
package models
