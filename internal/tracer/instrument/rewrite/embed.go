package rewrite

import "embed"

// Sources are the files of this package, which the user's toolchain compiles where it is newer
// than this program; see package frontend.
//
//go:embed atomics.go doc.go edit.go emit.go fieldpath.go functions.go index.go lines.go mention.go
//go:embed names.go operation.go request.go resolve.go rewrite.go statements.go variables.go
var Sources embed.FS
