//go:build unix

package versions

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// A doctorReport is what antichain doctor --json prints.
type doctorReport struct {
	Go struct {
		Version string `json:"version"`
		Root    string `json:"root"`
	} `json:"go"`
	Capabilities []capability `json:"capabilities"`
}

// A capability of tracing is there if every patch that it needs fits the release.
type capability struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Why  string `json:"why"` // it is not
}

// capabilities asks which capabilities of tracing a release has: all.
func capabilities(ctx context.Context, s *site) (*outcome, error) {
	r, err := s.traced(ctx, "doctor", "--json")
	if err != nil {
		return nil, err
	}
	report, err := parseDoctor(r.out)
	if err != nil {
		return &outcome{Says: "no report", Details: err.Error() + "\n" + r.details()}, nil
	}
	return report.outcome(), nil
}

// parseDoctor reads the report. It is the one place that knows its form.
func parseDoctor(text string) (*doctorReport, error) {
	report := new(doctorReport)
	if err := json.Unmarshal([]byte(text), report); err != nil {
		return nil, fmt.Errorf("antichain doctor --json: %w", err)
	}
	if len(report.Capabilities) == 0 {
		return nil, fmt.Errorf("antichain doctor --json names no capability")
	}
	return report, nil
}

func (d *doctorReport) outcome() *outcome {
	var missing []string
	var details strings.Builder
	for _, c := range d.Capabilities {
		if !c.OK {
			missing = append(missing, c.Name)
			fmt.Fprintf(&details, "%s (%s): no %s: %s\n", d.Go.Version, d.Go.Root, c.Name, c.Why)
		}
	}
	o := &outcome{OK: len(missing) == 0, Says: fmt.Sprintf("all %d", len(d.Capabilities)), Details: details.String()}
	if !o.OK {
		o.Says = "without " + strings.Join(missing, ", ")
	}
	return o
}
