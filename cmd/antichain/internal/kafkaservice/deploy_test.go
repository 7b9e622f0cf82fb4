package kafkaservice

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"go.yaml.in/yaml/v3"
)

const deploy = "../../../../deploy"

// metricNames are all metrics of a member of a group.
func metricNames() map[string]bool {
	names := map[string]bool{"process_resident_memory_bytes": true}
	described := make(chan *prometheus.Desc)
	it := &service{log: zerolog.Nop(), out: &reporter{metrics: newVerdictMetrics(nil, nil)}, config: Config{Group: "g"}}
	go func() {
		collector{it}.Describe(described)
		it.out.metrics.verdicts.Describe(described)
		it.out.metrics.delay.Describe(described)
		close(described)
	}()
	name := regexp.MustCompile(`fqName: "(\w+)"`)
	for d := range described {
		names[name.FindStringSubmatch(d.String())[1]] = true
	}
	return names
}

// TestDeployedMetrics: alerts, the dashboard and the page ask for metrics that there are.
func TestDeployedMetrics(t *testing.T) {
	there := metricNames()
	word := regexp.MustCompile(`\b(antichain|process)_[a-z_]+`)
	for _, file := range []string{deploy + "/alerts.yaml", deploy + "/dashboard.json", "../../../../docs/kafka.md"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		asked := word.FindAllString(string(text), -1)
		for _, name := range asked {
			if !there[strings.TrimSuffix(name, "_bucket")] {
				t.Errorf("%s asks for %s", file, name)
			}
		}
		if len(asked) < 5 {
			t.Errorf("%s asks for %q", file, asked)
		}
	}
}

// TestDeployedFiles: they are YAML and JSON, and rules and panels have what they need.
func TestDeployedFiles(t *testing.T) {
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join(deploy, name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	for _, name := range []string{"compose.yaml", "collector.yaml", "prometheus.yaml"} {
		var any map[string]any
		if err := yaml.Unmarshal(read(name), &any); err != nil || len(any) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	var alerts struct {
		Groups []struct {
			Rules []struct {
				Alert, Expr         string
				Labels, Annotations map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(read("alerts.yaml"), &alerts); err != nil || len(alerts.Groups) != 1 {
		t.Fatal(err)
	}
	for _, r := range alerts.Groups[0].Rules {
		if r.Alert == "" || r.Expr == "" || r.Labels["severity"] == "" || r.Annotations["summary"] == "" ||
			strings.Count(r.Expr, "(") != strings.Count(r.Expr, ")") {
			t.Errorf("%+v", r)
		}
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(read("dashboard.json"), &board); err != nil || len(board.Panels) < 5 {
		t.Fatal(err)
	}
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			if p.Title == "" || strings.Count(target.Expr, "(") != strings.Count(target.Expr, ")") {
				t.Errorf("%+v", p)
			}
		}
	}
}
