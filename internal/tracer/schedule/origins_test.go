package schedule

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/op"
)

// TestOrigins has goroutines of the steps come from go statements: by number from one of their own
// each, by role from one that those share which are started at one place.
func TestOrigins(t *testing.T) {
	a, b := []ring.Code{{Lo: 10, Hi: 11}}, []ring.Code{{Lo: 20, Hi: 21}}
	library := []ring.Code{{Lo: 90, Hi: 91}}
	code := map[string][]ring.Code{"m.go:1": a, "m.go:2": b, "lib.go:1": library}
	s := &Schedule{
		Goroutines: []Goroutine{
			{"main.1", "main", 1, Line{At: "m.go:1"}}, {"main.2", "main", 2, Line{At: "m.go:1"}},
			{"main.2.1", "main.2", 1, Line{At: "m.go:2"}}, {"main.2.4", "main.2", 3, Line{At: "lib.go:1"}},
		},
	}
	for _, name := range []string{"main.2.1", "main.1", "main", "main.2.4"} {
		s.Steps = append(s.Steps, Step{Goroutine: name, Kind: op.Lock, Nth: 1, Line: Line{At: "m.go:3"}})
	}
	for _, tt := range []struct {
		roles  bool
		starts []ring.Start
		of     map[string]int
	}{
		{false,
			[]ring.Start{{Places: a, Nth: 2}, {Class: 1, Places: b, Nth: 1}, {Places: a, Nth: 1}, {Class: 1, Nth: 4}},
			map[string]int{"main": 0, "main.2": 1, "main.2.1": 2, "main.1": 3, "main.2.4": 4}},
		{true, []ring.Start{{Places: a}, {Class: 1, Places: b}, {Class: 1}},
			map[string]int{"main": 0, "main.2": 1, "main.2.1": 2, "main.1": 1, "main.2.4": 3}},
	} {
		kept := &ring.Schedule{Roles: tt.roles, User: []ring.Code{{Lo: 0, Hi: 50}}}
		of, err := s.origins(kept, code)
		if err != nil || !reflect.DeepEqual(kept.Starts, tt.starts) || !maps.Equal(of, tt.of) {
			t.Errorf("roles %v: %+v, %v, %v", tt.roles, kept.Starts, of, err)
		}
		less := &Schedule{Goroutines: s.Goroutines[:3], Steps: s.Steps}
		of, err = less.origins(&ring.Schedule{Roles: tt.roles}, code)
		if unknown := err != nil && strings.Contains(err.Error(), "main.2.4"); unknown != tt.roles {
			t.Errorf("roles %v, and main.2.4 is not described: %v, %v", tt.roles, of, err)
		}
	}
}
