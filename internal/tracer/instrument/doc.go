// Package instrument builds traced programs: it drives go build and go test with one generated
// overlay, and changes none of the user's files.
//
// The overlay replaces files of three kinds: hooks and patches of the standard library (package
// goroot), the agent as a new package antichain/agent in GOROOT, and, where a specification names
// functions or variables, files of the user's packages (package rewrite). Overlay files are named
// by their content and live in a cache directory, which lets the build cache of Go make the second
// build fast. A user's own overlay, from the command line or GOFLAGS, is merged.
//
// Package frontend analyses the user's source, in this process or, if the user's toolchain is of a
// later Go than this program, in a program that the toolchain compiles (package helper). So this
// program may be built with an older Go.
//
// A traced binary contains the table of its sites (ReadTables).
package instrument
