package site

import "embed"

// Sources are the files of this package, which the user's toolchain compiles where it is newer
// than this program; see package frontend.
//
//go:embed site.go function.go
var Sources embed.FS
