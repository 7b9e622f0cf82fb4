package main

import (
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/instrument"
)

func TestHasTestFlag(t *testing.T) {
	for _, tt := range []struct {
		before, behind string // the packages
		want           bool
	}{
		{"-json", "", true}, {"", "-json", true}, {"--json=true", "", true}, {"-test.json", "", true},
		{"", "", false}, {"-json=false", "", false}, {"-json", "-json=0", false}, {"-run json", "", false}, {"-jsonx", "", false}, {"", "-args -json", false},
	} {
		args := instrument.Args{Go: strings.Fields(tt.before), Rest: strings.Fields(tt.behind)}
		if got := hasTestFlag(args, "json"); got != tt.want {
			t.Errorf("%q, %q: %v", tt.before, tt.behind, got)
		}
	}
}
