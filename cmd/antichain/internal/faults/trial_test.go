//go:build unix

package faults

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	mathrand "math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/antichain-go/antichain/cmd/antichain/internal/exit"
	"github.com/antichain-go/antichain/internal/kafkatest"
	"github.com/antichain-go/antichain/tracer/ingest/record"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// The tests of faults let real monitors, which are processes, check many small runs, and do them
// harm. Whatever happens, each run gets the verdicts that antichain check gives it, each once after
// those with the same id are taken for one, and each event is in the state of the monitors once.

var (
	faultSeed   = flag.Int64("faults.seed", 0, "seed of the schedules of faults; 0 is another one each time")
	faultRounds = flag.Int("faults.rounds", 1, "how often each schedule of faults is tried, with seeds one behind the other")
)

// faultPatience bounds what takes seconds: a test that would hang fails. The verdicts of runs that
// have not ended come half a minute after brokers are back. These take as long to start on a busy
// machine.
const faultPatience = 2 * time.Minute

// faultSpec has properties of states, and one about what comes next.
const faultSpec = `property apart: not (t1:(in.f) and t2:(in.g and x == 1)) if t1 != t2
property low: t:(not x == 2) or t:(not y == 2)
property later: t1:(in.f) -> not next t1:(y == 2)
`

// maxTestRecord is how large a record may be: larger than monitors read at a time, or may write.
const maxTestRecord = 30 << 20

// trial is a topic with monitors on it.
type trial struct {
	*testing.T
	antichain string // executable
	random    *mathrand.Rand
	brokers   []string
	names     topicNames
	spec      string // file
	options   []string
	client    *kgo.Client
	admin     *kadm.Client
	sent      trialRuns

	processes []*monitorProcess // that were started
	absence   time.Duration     // the longest time for which no broker answered
	seen      *verdictLog
}

// topicNames are the topics of a trial, and its group.
type topicNames struct{ runs, verdicts, dead, group string }

// long skips a test that takes long, unless there is time for several rounds.
func long(t *testing.T) {
	if *faultRounds < 2 {
		t.Skip("takes long: -faults.rounds 2")
	}
}

// rounds calls a test with one seed after the other.
func rounds(t *testing.T, test func(t *testing.T, random *mathrand.Rand)) {
	kafkatest.Parallel(t)
	first := *faultSeed
	if first == 0 {
		first = time.Now().UnixNano()
	}
	for seed := first; seed < first+int64(*faultRounds); seed++ {
		t.Run("", func(t *testing.T) {
			t.Logf("-faults.seed %d", seed)
			test(t, mathrand.New(mathrand.NewSource(seed)))
		})
	}
}

// newTrial makes the topics. The options are those of all monitors.
func newTrial(t *testing.T, random *mathrand.Rand, brokers []string, partitions int32, options ...string) *trial {
	antichain, err := built()
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{T: t, antichain: antichain, random: random, brokers: brokers, options: options, spec: filepath.Join(t.TempDir(), "spec.tl")}
	unique := "faults-" + rand.Text()
	tr.names = topicNames{unique, unique + "-verdicts", unique + "-dead", unique}
	if err := os.WriteFile(tr.spec, []byte(faultSpec), 0o600); err != nil {
		t.Fatal(err)
	}
	tr.client, err = kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.DefaultProduceTopic(tr.names.runs), kgo.ProducerBatchMaxBytes(maxTestRecord), kgo.ProducerBatchCompression(kgo.NoCompression()),
		kgo.MetadataMinAge(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.client.Close)
	tr.admin = kadm.NewClient(tr.client)
	ctx := tr.bounded()
	large := strconv.Itoa(maxTestRecord)
	if _, err := tr.admin.CreateTopic(ctx, partitions, -1, map[string]*string{"max.message.bytes": &large}, tr.names.runs); err != nil {
		t.Fatal(err)
	}
	for _, topic := range []string{tr.names.verdicts, tr.names.dead} {
		if _, err := tr.admin.CreateTopic(ctx, 1, -1, nil, topic); err != nil {
			t.Fatal(err)
		}
	}
	tr.seen = watchVerdicts(t, brokers, tr.names.verdicts)
	t.Cleanup(func() {
		for i, p := range tr.processes {
			if !p.killed && t.Failed() {
				p.quit()
			}
			p.kill()
			if t.Failed() {
				t.Logf("monitor %d:\n%s", i, p.errs())
			}
		}
	})
	return tr
}

func (tr *trial) bounded() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), faultPatience)
	tr.Cleanup(cancel)
	return ctx
}

func (tr *trial) address() string {
	return "kafka://" + strings.Join(tr.brokers, ",") + "/" + tr.names.runs
}

// verdictLog is what was said in the topic of verdicts, as the lines come.
type verdictLog struct {
	client *kgo.Client
	lines  []said
}

// said is a verdict as a reader of the topic sees it.
type said struct {
	ID, Run, Property, Verdict string
	Event                      json.RawMessage
	Error                      string
	Covered                    string
}

func watchVerdicts(t *testing.T, brokers []string, topic string) *verdictLog {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.ConsumeTopics(topic), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.FetchMaxWait(50*time.Millisecond), kgo.MetadataMinAge(100*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return &verdictLog{client: client}
}

// poll takes the lines that come within a time.
func (l *verdictLog) poll(t *testing.T, wait time.Duration) {
	ctx, cancel := context.WithTimeout(context.Background(), wait)
	defer cancel()
	for r := range l.client.PollFetches(ctx).RecordsAll() {
		l.lines = append(l.lines, parseSaid(t, r.Value))
	}
}

func parseSaid(t *testing.T, line []byte) (s said) {
	if err := json.Unmarshal(line, &s); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return s
}

// subject is what there is one verdict on: a property of a run, or "" for what is wrong with the
// run.
type subject struct{ run, property string }

// upserted returns what stands where the verdicts are upserted by their ids, and complains of
// contradictions.
func upserted(t *testing.T, lines []said) map[subject]said {
	byID := map[string]said{}
	for _, s := range lines {
		if was, ok := byID[s.ID]; ok && (was.Run != s.Run || was.Property != s.Property || was.Verdict != s.Verdict) {
			t.Errorf("id %s: first\n%+v, then\n%+v", s.ID, was, s)
		}
		byID[s.ID] = s
	}
	bySubject := map[subject]said{}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		s := byID[id]
		at := subject{s.Run, s.Property}
		if was, ok := bySubject[at]; ok {
			t.Errorf("doubled:\n%+v\n%+v", was, s)
		}
		bySubject[at] = s
	}
	return bySubject
}

// await waits until there is a verdict on all that one is expected on.
func (tr *trial) await(expected map[subject]string) {
	tr.Helper()
	missing := maps.Clone(expected)
	next, heard, progress := 0, time.Now(), time.Now()
	for ; len(missing) > 0; tr.seen.poll(tr.T, 100*time.Millisecond) {
		if next < len(tr.seen.lines) {
			heard, progress = time.Now(), time.Now()
		}
		for ; next < len(tr.seen.lines); next++ {
			delete(missing, subject{tr.seen.lines[next].Run, tr.seen.lines[next].Property})
		}
		if time.Since(heard) > stall && !slices.Contains(strings.Split(os.Getenv("ANTICHAIN_KAFKA"), ","), tr.brokers[0]) {
			heard = time.Now()
			tr.Log("another monitor, since the fake broker waits for one that is dead")
			tr.start()
		}
		if time.Since(progress) > faultPatience { // all of them take longer on a busy machine
			tr.Fatalf("%d of %d verdicts are missing, and none came for %v: %v\n%s", len(missing), len(expected), faultPatience, missing, tr.stored(missing))
		}
	}
}

// stored describes what the topic has of the runs of some subjects, beside what was sent: brokers
// may have lost something.
func (tr *trial) stored(of map[subject]string) string {
	client, err := kgo.NewClient(kgo.SeedBrokers(tr.brokers...), kgo.ConsumeTopics(tr.names.runs), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()))
	if err != nil {
		return err.Error()
	}
	defer client.Close()
	var all []*kgo.Record
	for ctx, size := tr.bounded(), tr.size(tr.names.runs); int64(len(all)) < size && ctx.Err() == nil; {
		all = append(all, client.PollFetches(ctx).Records()...)
	}
	var text strings.Builder
	described := map[string]bool{}
	for at := range of {
		if described[at.run] {
			continue
		}
		described[at.run] = true
		sent := tr.sent.byID[at.run].records
		fmt.Fprintf(&text, "%s has %d records; in the topic, partition@offset=record:", at.run, len(sent))
		for _, r := range all {
			if string(r.Key) == at.run {
				n := slices.IndexFunc(sent, func(s *record.Record) bool { return bytes.Equal(s.Value, r.Value) })
				fmt.Fprintf(&text, " %d@%d=%d", r.Partition, r.Offset, n+1)
			}
		}
		fmt.Fprintln(&text)
	}
	return text.String()
}

// stall is for how long nothing is said before a monitor more is started. The fake broker has no
// session for a member that dies while it waits to join, and takes it for alive until all have to
// join again.
const stall = 4 * time.Second

// rest takes what was said until now, when nobody says anything any more.
func (tr *trial) rest() {
	for left := tr.size(tr.names.verdicts) - int64(len(tr.seen.lines)); left > 0; left = tr.size(tr.names.verdicts) - int64(len(tr.seen.lines)) {
		tr.seen.poll(tr.T, 100*time.Millisecond)
	}
}

// size returns how many records were sent to a topic.
func (tr *trial) size(topic string) (n int64) {
	ends, err := tr.admin.ListEndOffsets(tr.bounded(), topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		tr.Fatal(err)
	}
	ends.Each(func(o kadm.ListedOffset) { n += o.Offset })
	return n
}

// checked returns the verdicts that antichain check gives the whole runs, and those that must come
// of others.
func (tr *trial) checked() map[subject]string {
	args := []string{"check", "--json", "--spec", tr.spec}
	dir := tr.TempDir()
	for _, r := range tr.sent.runs {
		if r.kind.checked() {
			file := filepath.Join(dir, r.id)
			if err := os.WriteFile(file, r.text, 0o600); err != nil {
				tr.Fatal(err)
			}
			args = append(args, r.id)
		}
	}
	cmd := exec.Command(tr.antichain, args...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if code, err := exit.CodeOf(err); err != nil || code > 1 {
		tr.Fatalf("antichain check: %d, %v\n%s", code, err, errs.String())
	}
	verdicts := map[subject]string{}
	for line := range bytes.Lines(out) {
		var o struct{ Trace, Property, Verdict string }
		if err := json.Unmarshal(line, &o); err != nil {
			tr.Fatal(err)
		}
		if r := tr.sent.byID[o.Trace]; r.kind == cutRun && r.tasks > 0 && o.Verdict == "holds" {
			o.Verdict = "unknown" // check does not know that the source has said so
		}
		verdicts[subject{o.Trace, o.Property}] = o.Verdict
	}
	for _, r := range tr.sent.runs {
		if !r.kind.checked() {
			verdicts[subject{r.id, ""}] = "error"
		}
	}
	return verdicts
}
