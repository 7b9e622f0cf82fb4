// Package lsp is a language server for specifications (.tl): editors start it and talk to it on its standard streams.
//
// It speaks the Language Server Protocol 3.17. Messages of a client are checked, and what is wrong with one is said in
// the answer. Of finite-state programs (.gcl) it only finds mistakes.
//
// Names mean what they mean for a program that is traced from the directory of the specification (package rewrite).
// The Go files there are read as they are on disk, and nothing of other packages: what needs their types is unknown.
package lsp
