// Package helper runs package frontend with a release of Go that is at least the user's.
//
// If this program was built with the toolchain's release or a later one, frontend runs in this
// process. Otherwise it runs in a helper program, which the toolchain compiles from the sources
// that are embedded here.
//
// The helper is compiled once for each toolchain and each text of the sources, without a network
// and for the machine that compiles, and kept in a directory of the user's.
package helper
