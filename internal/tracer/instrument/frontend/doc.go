// Package frontend reads the user's Go source during a build. It parses and type-checks packages as
// go list describes them, rewrites them (package rewrite), and finds out which parts the tracer
// cannot see. Its one function, Run, takes a Request and the files that it names, so it can run in
// another process.
//
// Go's parser and type checker know the language, and read the export data, of their own release
// and of those before it. If the user's toolchain is newer than this program, Run runs in a program
// that the toolchain itself has compiled (package helper). For that the package and its imports
// from this module depend on the standard library alone, and the package carries its own text
// (Sources).
package frontend
