//go:build linux

package launch

import (
	"testing"
	"time"

	"github.com/antichain-go/antichain/internal/tracer/ring"
	"github.com/antichain-go/antichain/tracer/event"
	"github.com/antichain-go/antichain/tracer/op"
)

// slowly takes its time with every sixteenth operation, which the program does in microseconds, and
// expects each, with the times among them.
type slowly struct {
	testing.TB
	told  int
	takes time.Duration
}

func (s *slowly) Op(o *op.Op) {
	if o.Kind == op.Time {
		return
	}
	if s.told++; o.Kind != op.Go || o.K != int32(s.told) {
		s.Errorf("operation %d is %v %d", s.told, o.Kind, o.K)
	}
	if s.told%16 == 0 {
		time.Sleep(s.takes)
	}
}

// A program that never ends while it is traced, and writes faster than it is judged, continues
// untraced. The operations until then are judged without a gap.
func TestLetGo(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  func(*Config, *slowly)
		want bool
	}{
		{"it has waited for long", func(cfg *Config, s *slowly) { cfg.MayWait, s.takes = 1, time.Millisecond }, true},
		{"no more is wanted", func(cfg *Config, s *slowly) { cfg.Enough = func() bool { return s.told == 1000 } },
			false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			private(t)
			s := &slowly{TB: t}
			cfg := helper("endless")
			cfg.Watch = s
			cfg.Ring = ring.Options{Slots: 1 << 10, Memory: 1, SpillMax: 1}
			tt.set(&cfg, s)
			r, err := Start(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			res, err := r.Wait()
			if err != nil || res.ExitCode != 0 || res.Missing != 0 || !res.Complete {
				t.Errorf("%v, %+v", err, res)
			}
			if s.told == 0 || res.LetGo != tt.want || (res.LetGoAt > 0) != tt.want {
				t.Errorf("let go %v after %v, told %d operations", res.LetGo, res.LetGoAt, s.told)
			}
		})
	}
}

// A program whose events are wanted waits.
func TestEventsAreNotLetGo(t *testing.T) {
	private(t)
	s := &slowly{TB: t}
	cfg := helper("endless")
	cfg.Watch, cfg.MayWait = s, 1
	cfg.Enough = func() bool { return s.told == 1000 }
	cfg.Ring = ring.Options{Slots: 1 << 10, Memory: 1, SpillMax: 1}
	started, events := make(chan *Run, 1), 0
	cfg.Event = func(*event.Event) error {
		if events++; events == 5000 {
			return (<-started).ring.Stop()
		}
		return nil
	}
	r, err := Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	started <- r
	if res, err := r.Wait(); err != nil || res.LetGo || s.told != 1000 || events < 5000 {
		t.Errorf("%v, %+v, told %d operations and %d events", err, res, s.told, events)
	}
}

// A program without a consumer that needs more, of operations or events, continues untraced.
func TestEnoughForAll(t *testing.T) {
	for _, watched := range []bool{false, true} {
		private(t)
		s, events := &slowly{TB: t}, 0
		cfg := helper("endless")
		cfg.Event = func(*event.Event) error { events++; return nil }
		cfg.EnoughEvents = func() bool { return events >= 5000 }
		if watched {
			cfg.Watch = s
			cfg.Enough = func() bool { return s.told >= 10000 }
		}
		r, err := Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		res, err := r.Wait()
		if err != nil || res.ExitCode != 0 || res.Missing != 0 || !res.Complete || res.LetGo {
			t.Errorf("%v, %+v", err, res)
		}
		if events < 5000 || (s.told >= 10000) != watched {
			t.Errorf("watched %v: %d events, told %d operations", watched, events, s.told)
		}
	}
}
