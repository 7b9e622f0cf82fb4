package paralleltest

import (
	"flag"
	"fmt"
	"runtime"
	"testing"
)

func TestPerProcessor(t *testing.T) {
	parallel := flag.Lookup("test.parallel")
	before := parallel.Value.String()
	t.Cleanup(func() {
		if err := parallel.Value.Set(before); err != nil {
			t.Error(err)
		}
	})
	PerProcessor(3)
	want := fmt.Sprint(3 * runtime.GOMAXPROCS(0))
	if given := before != fmt.Sprint(runtime.GOMAXPROCS(0)); given {
		want = before
	}
	if got := parallel.Value.String(); got != want {
		t.Errorf("-parallel %s, want %s", got, want)
	}
}
