//go:build unix

package reported

import "testing"

func TestReadRaces(t *testing.T) {
	r := readRaces([]byte(`what the program prints
==================
WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 7:
  example.com/lib.(*T).Set()
      /mod/lib/t.go:10 +0x3b
  main.main.func1()
      /drv/main.go:12 +0x50

Previous read at 0x00c000012345 by main goroutine:
  main.main()
      /drv/main.go:15 +0x90

Goroutine 7 (running) created at:
  main.main()
      /drv/main.go:11 +0x80
==================
panic: no room
Found 1 data race(s)
`))
	if len(r.Findings) != 1 || r.Findings[0].Builtin != "race" || len(r.Findings[0].Parties) != 2 {
		t.Fatalf("got %+v", r.Findings)
	}
	p := r.Findings[0].Parties
	if p[0].At != "/mod/lib/t.go:10" || len(p[0].Stack) != 2 || p[0].Stack[0].Function != "example.com/lib.(*T).Set" ||
		p[0].Stack[1].At != "/drv/main.go:12" {
		t.Errorf("first access: %+v", p[0])
	}
	if p[1].At != "/drv/main.go:15" || len(p[1].Stack) != 1 {
		t.Errorf("second access: %+v", p[1])
	}
	if len(r.Panics) != 1 || r.Panics[0] != "no room" || r.Hangs {
		t.Errorf("panics %q, hangs %v", r.Panics, r.Hangs)
	}
	if r := readRaces([]byte("fatal error: all goroutines are asleep - deadlock!\n")); !r.Hangs || len(r.Panics) > 0 {
		t.Errorf("a deadlock is %+v", r)
	}
}
