package frontend

import "embed"

// Sources are the files of this package.
//
//go:embed check.go doc.go error.go frontend.go lines.go mayuse.go named.go packages.go uses.go
var Sources embed.FS
