package satisfiability

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/batch"
	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/cmd/antichain/internal/limits"
	"github.com/antichain-go/antichain/cmd/antichain/internal/terminal"
)

// ltlProblems are all of them, by their names.
var ltlProblems = map[string]*LTLProblem{"sat": LTLSat, "valid": LTLValid, "implies": LTLImplies, "equiv": LTLEquiv,
	"eval": LTLEval}

// FuzzLTLBatch tries lines as questions of every problem: each has an answer that is a JSON object.
func FuzzLTLBatch(f *testing.F) {
	for _, line := range []string{`{"id":1,"formula":"a U b","formula2":"F b","word":[["a"],[]]}`, `{"formula":3}`,
		`[]`, `{"word":[1]}`, `{`} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 || len(bytes.TrimSpace(line)) == 0 {
			return
		}
		for name, problem := range ltlProblems {
			for _, finite := range []bool{false, true} {
				solver := LTLSolver{Problem: problem, Finite: finite,
					Limits: limits.Limits{Timeout: 100 * time.Millisecond}}
				var out bytes.Buffer
				s := terminal.Streams{In: bytes.NewReader(line), Out: &out, Err: io.Discard}
				if err := batch.Run(t.Context(), s, solver.Answer); err != nil && err != exit.Code(exit.Error) &&
					err != exit.Code(exit.Unknown) {
					t.Fatalf("%s: %v", name, err)
				}
				var object map[string]any
				if err := json.Unmarshal(out.Bytes(), &object); err != nil {
					t.Fatalf("%s: %q is answered by %q: %v", name, line, out.Bytes(), err)
				}
			}
		}
	})
}
