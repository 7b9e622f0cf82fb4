package instrument

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The build tag race is set beside the user's own: those that are named last.
func TestWithDetector(t *testing.T) {
	for _, tt := range []struct {
		goflags string
		own     []string
		want    string
	}{
		{want: "-tags=race"},
		{own: []string{"-v", "-tags=a,b"}, want: "-tags=a,b,race"},
		{own: []string{"-tags", "a b"}, want: "-tags=a,b,race"},
		{goflags: "-tags=env -v", want: "-tags=env,race"},
		{goflags: "-tags=env", own: []string{"-tags=own"}, want: "-tags=own,race"},
		{goflags: "-tags=env", own: []string{"-tags="}, want: "-tags=race"},
	} {
		env := &goEnv{GOFLAGS: tt.goflags}
		own := parseGoFlags(tt.own)
		flags, err := env.withDetector(own)
		if err != nil {
			t.Fatal(err)
		}
		if got := flags[len(flags)-1].words; len(flags) != len(own)+1 || !slices.Equal(got, []string{tt.want}) {
			t.Errorf("GOFLAGS=%s %q: %v, want %s", tt.goflags, tt.own, got, tt.want)
		}
	}
	if _, err := (&goEnv{GOFLAGS: "'"}).withDetector(nil); err == nil {
		t.Error("a quote without its end is no mistake")
	}
}

// The linker's flags are the user's with ours. Of several for a package the last one counts, so
// each of the user's has ours.
func TestLinkerFlags(t *testing.T) {
	for _, tt := range []struct {
		users  []string
		memory bool
		ours   string
		want   []string
	}{
		{},
		{ours: withoutDebug, want: []string{"-ldflags=-s -w"}},
		{memory: true, want: []string{"-ldflags=-race"}},
		{memory: true, ours: withoutDebug, want: []string{"-ldflags=-s -w -race"}},
		{users: []string{"-ldflags=-w"}},
		{users: []string{"-ldflags=-X m.v=1"}, ours: withoutDebug,
			want: []string{"-ldflags=-s -w", "-ldflags=-X m.v=1 -s -w"}},
		{users: []string{"-ldflags=-w", "-v", "-ldflags", "m/...=-X m.v=1"}, memory: true,
			want: []string{"-ldflags=-race", "-ldflags=-w -race", "-ldflags=m/...=-X m.v=1 -race"}},
	} {
		b := &Build{config: Config{Memory: tt.memory}, all: parseGoFlags(tt.users)}
		if d := cmp.Diff(tt.want, b.linkerFlags(tt.ours)); d != "" {
			t.Errorf("%+v (-want +got):\n%s", tt, d)
		}
	}
}
