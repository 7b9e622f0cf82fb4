// Package lsp is a language server for specifications (.tl): editors start it and talk to it on its
// standard streams.
//
// It speaks the Language Server Protocol 3.17. It checks the messages of a client, and answers an
// invalid one with an error. For finite-state programs (.gcl) it only reports mistakes.
//
// Names have the meaning they have for a program that is traced from the directory of the
// specification (package rewrite). The server reads the Go files there as they are on disk, and no
// other packages, so names that need their types are unknown.
package lsp
