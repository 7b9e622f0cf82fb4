package goroot

import "github.com/antichain-go/antichain/tracer/instrument/frontend"

// MissingMinimal names what the two-file overlay does not record.
var MissingMinimal = frontend.MissingMinimal
