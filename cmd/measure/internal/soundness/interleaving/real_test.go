package interleaving

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/measure/internal/soundness/program"
)

// recorder prints each pair of places that goroutines are in at the same time, when the second one
// is entered.
const recorder = `
var (
	recording sync.Mutex
	inside    = map[int]int{}
)

func enter(n, x int) {
	recording.Lock()
	inside[n] = x
	line := fmt.Sprintln("at", n, x, n, x)
	for m, y := range inside {
		if m != n {
			line += fmt.Sprintln("at", n, x, m, y)
		}
	}
	os.Stdout.WriteString(line)
	recording.Unlock()
	if rand.IntN(2) == 0 {
		time.Sleep(time.Duration(rand.IntN(200)) * time.Microsecond)
	}
	recording.Lock()
	delete(inside, n)
	recording.Unlock()
	for range rand.IntN(3) {
		runtime.Gosched()
	}
}
`

// buildReal builds an executable that runs the program which its argument names.
func buildReal(t *testing.T, programs []*program.Program) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, path := range append([]string{"math/rand/v2", "runtime"}, program.Imports...) {
		fmt.Fprintf(&b, "\t%q\n", path)
	}
	b.WriteString(")\n\nvar (\n\t_ context.Context\n\t_ atomic.Int32\n\t_ reflect.Kind\n)\n" + recorder + program.Support(" enter(%d, x) "))
	b.WriteString("func main() {\n\tswitch os.Args[1] {\n")
	for i := range programs {
		fmt.Fprintf(&b, "\tcase \"%d\":\n\t\tprogram%d()\n", i, i)
	}
	b.WriteString("\t}\n}\n")
	for i, p := range programs {
		b.WriteString(program.Print(p, fmt.Sprint("program", i)).Text)
	}
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(filepath.Dir(file), "programs")
	if out, err := exec.Command("go", "build", "-o", binary, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// runReal runs a program once and returns what it has printed, and why it has failed.
func runReal(t *testing.T, binary string, i int) (out, failed string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond) // it may wait for a timer that never fires
	defer cancel()
	var said, why strings.Builder
	cmd := exec.CommandContext(ctx, binary, fmt.Sprint(i))
	cmd.Stdout, cmd.Stderr = &said, &why
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, context.DeadlineExceeded) {
		t.Fatal(err)
	}
	return said.String(), why.String()
}

// TestReal runs random programs. What they do must be among what Explore finds: places, pairs of
// places, failures and deadlocks.
func TestReal(t *testing.T) {
	const runs = 12
	each := 2 // programs of each construct
	if os.Getenv("ANTICHAIN_LONG") != "" {
		each = 50
	}
	var programs []*program.Program
	var reached []*Reached
	for i, c := range program.Constructs {
		for k := 0; k < each; {
			p := program.Generate(rand.New(rand.NewPCG(rand.Uint64(), uint64(i))), 2, c)
			if r, err := Explore(p, 20_000); err == nil {
				programs, reached = append(programs, p), append(reached, r)
				k++
			}
		}
	}
	binary := buildReal(t, programs)
	pairs := 0
	for i, p := range programs {
		r, seen := reached[i], map[Pair]bool{}
		for range runs {
			out, failed := runReal(t, binary, i)
			for line := range strings.Lines(out) {
				var a, b Place
				if n, err := fmt.Sscanf(line, "at %d %d %d %d\n", &a.Mark, &a.Value, &b.Mark, &b.Value); n != 4 {
					continue // the program has failed meanwhile
				} else if err != nil {
					t.Fatal(err)
				}
				switch pair := NewPair(a, b); {
				case strings.Contains(failed, "nlock of unlocked"):
					// which makes the lock look locked until the program has ended
				case a == b && !r.Places[a]:
					t.Errorf("place %v is not reached in\n%s", a, p)
				case a != b && !r.Pairs[pair]:
					t.Errorf("pair %v is not reached in\n%s", pair, p)
				case a != b:
					seen[pair] = true
				}
			}
			if !r.explains(failed) {
				t.Errorf("this is not found: %s\nin\n%s", failed, p)
			}
		}
		pairs += len(seen)
	}
	if pairs == 0 {
		t.Error("no goroutines were in two places at the same time")
	}
}

// explains reports whether the program can fail for that reason, or come to a state without a next
// one.
func (r *Reached) explains(failed string) bool {
	if strings.Contains(failed, "all goroutines are asleep") {
		r.findMoves()
		for i, s := range r.all {
			if r.moves[i]&1 == 0 && r.m.tasks[0][*of(s, 0, pc)].op != end {
				return true
			}
		}
		return false
	}
	for f := range r.Failures {
		reason := string(f.Reason)
		if f.Reason == UnlockUnlocked {
			reason = "nlock of unlocked"
		}
		if strings.Contains(failed, reason) {
			return true
		}
	}
	return !strings.Contains(failed, "panic") && !strings.Contains(failed, "fatal")
}
