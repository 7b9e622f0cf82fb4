// Package helper runs package frontend so that it knows the user's Go: in this process where
// this program was built with the toolchain's release of Go or a later one, otherwise in
// a helper program, which the toolchain compiles from the sources that are embedded here.
//
// The helper is compiled once for each toolchain and each text of the sources, without a network and for
// the machine that compiles, and kept in a directory of the user's.
package helper
