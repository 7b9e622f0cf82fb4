//go:build unix

package versions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// kernelMinor is the minor version whose newest release has the kernels that all releases run.
const kernelMinor = 26

// A gokerScore is a line of goker -json.
type gokerScore struct {
	Program  string `json:"program"`
	Runs     int    `json:"runs"`
	Named    int    `json:"named"`
	Profiled *int   `json:"profiled"`
	Extras   []struct {
		Property string `json:"property"`
		Places   string `json:"places"`
		Judged   string `json:"judged"`
	} `json:"extras"`
	Failures []string `json:"failures"`
}

// memoryLimit runs a command with 8 GB of address space at most, as .ci/long goker does.
const memoryLimit = `ulimit -v 8000000 && exec "$0" "$@"`

// goker runs a scoreboard of GoKer, with the same kernels on every release.
func goker(board string, runs int) func(context.Context, *site) (*outcome, error) {
	return func(ctx context.Context, s *site) (*outcome, error) {
		kernels, err := s.kernels(ctx)
		if err != nil {
			return nil, err
		}
		binary, err := s.once(ctx, s.workspace.env, "goker", "build", "-C", "cmd/measure", "./goker")
		if err != nil {
			return nil, err
		}
		r, err := execute(ctx, s.linked, s.root, "bash", "-c", memoryLimit, binary,
			"-json", "-kernels", kernels, "-antichain", s.executable, "-n", strconv.Itoa(runs), board)
		if err != nil {
			return nil, err
		}
		scores, err := parseScores(r.out)
		if err != nil || r.code != 0 {
			return &outcome{Says: "no scores", Details: r.details()}, err
		}
		return gokerOutcome(board, scores), nil
	}
}

// kernels is the GOROOT of the newest release of the version whose kernels are run.
func (w *workspace) kernels(ctx context.Context) (string, error) {
	v, ok := newest(w.all, kernelMinor)
	if !ok {
		return "", fmt.Errorf("there is no release go1.%d", kernelMinor)
	}
	return goOutput(ctx, releaseOf(v).environ(w.env), w.dir, "env", "GOROOT")
}

func parseScores(text string) ([]*gokerScore, error) {
	var scores []*gokerScore
	for line := range strings.Lines(text) {
		s := new(gokerScore)
		if err := json.Unmarshal([]byte(line), s); err != nil {
			return nil, fmt.Errorf("%w in %s", err, line)
		}
		scores = append(scores, s)
	}
	return scores, nil
}

// gokerOutcome counts the programs whose bug was named. It is as it ought to be if every run was
// checked and no report is false, or not judged.
func gokerOutcome(board string, scores []*gokerScore) *outcome {
	o := &outcome{OK: len(scores) > 0}
	var details strings.Builder
	named, runs, profiled := 0, 1, "-"
	leaked := 0
	for _, s := range scores {
		named, runs = named+s.Named, s.Runs
		if s.Named > 0 {
			o.Named = append(o.Named, s.Program)
		}
		if s.Profiled != nil {
			if *s.Profiled > 0 {
				leaked++
			}
			profiled = strconv.Itoa(leaked)
		}
		for _, f := range s.Failures {
			o.OK = false
			fmt.Fprintf(&details, "%s: %s\n", s.Program, f)
		}
		for _, x := range s.Extras {
			if x.Judged != "true" {
				o.OK = false
				fmt.Fprintf(&details, "%s: %s at %s is reported, which is %s\n", s.Program, x.Property, x.Places, map[string]string{"": "not judged", "false": "false"}[x.Judged])
			}
		}
	}
	slices.Sort(o.Named)
	o.Mean = float64(named) / float64(runs)
	o.Details = details.String()
	switch {
	case len(scores) == 0:
		o.Says = "no scores"
	case board == "fixed":
		o.Says = fmt.Sprintf("%d programs", len(scores))
	case runs == 1:
		o.Says = fmt.Sprintf("%d of %d, profile %s", len(o.Named), len(scores), profiled)
	default:
		o.Says = fmt.Sprintf("%.1f of %d, profile %s", o.Mean, len(scores), profiled)
	}
	if !o.OK && o.Details != "" {
		o.Says += ", differs"
	}
	return o
}
