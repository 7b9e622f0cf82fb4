// Package alert passes violations on while a verb goes on: to a command, or by HTTP to an address.
package alert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os/exec"
	"sync/atomic"
	"time"

	"github.com/antichain-go/antichain/internal/wording"
)

// Limits of what is passed on.
const (
	maxWaiting = 256              // violations that wait for their turn; further ones are lost
	patience   = 30 * time.Second // of a command, and of all tries to reach an address
	lastWait   = 10 * time.Second // for what waits when the verb ends
	maxSaid    = 512              // bytes of what a command or a server says
)

// firstPause is how long it takes until an address is tried again, which doubles each time.
var firstPause = time.Second

// Alerts passes violations on, one after the other. A nil *Alerts passes nothing on.
type Alerts struct {
	command, url string
	errs         io.Writer
	waiting      chan []byte
	ending       chan struct{} // closed by Close
	done         chan struct{} // closed when nothing is passed on any more
	stop         context.CancelFunc
	lost         atomic.Int64 // for want of room or time, or after an error
}

// start starts to pass violations on. Failures are printed to errs.
func start(command, url string, errs io.Writer) *Alerts {
	ctx, stop := context.WithCancel(context.Background())
	a := &Alerts{
		command: command, url: url, errs: errs, stop: stop,
		waiting: make(chan []byte, maxWaiting), ending: make(chan struct{}), done: make(chan struct{}),
	}
	go a.passAll(ctx)
	return a
}

// passAll passes on what comes until Close, and what waits then.
func (a *Alerts) passAll(ctx context.Context) {
	defer close(a.done)
	for {
		select {
		case violation := <-a.waiting:
			a.pass(ctx, violation)
		case <-a.ending:
			for len(a.waiting) > 0 {
				a.pass(ctx, <-a.waiting)
			}
			return
		}
	}
}

// Add passes on a violation, a line of JSON. It does not wait: a violation for which there is no
// room is counted as lost.
func (a *Alerts) Add(violation []byte) {
	if a == nil {
		return
	}
	select {
	case a.waiting <- violation:
	default:
		a.lost.Add(1)
	}
}

// Close passes on what waits, for ten seconds at most, and says how many violations are lost. Add
// does nothing after it.
func (a *Alerts) Close() {
	if a == nil {
		return
	}
	close(a.ending)
	end := time.AfterFunc(lastWait, a.stop)
	<-a.done
	end.Stop()
	a.stop()
	if n := a.lost.Load(); n > 0 {
		fmt.Fprintf(a.errs, "antichain: %s could not be passed on\n", wording.Plural(int(n), "violation"))
	}
}

// pass passes on a violation.
func (a *Alerts) pass(ctx context.Context, violation []byte) {
	if ctx.Err() != nil {
		a.lost.Add(1)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	isLost := false
	if a.command != "" {
		if err := runCommand(ctx, a.command, violation); err != nil {
			fmt.Fprintf(a.errs, "antichain: --on-violation: %v\n", err)
			isLost = true
		}
	}
	if a.url != "" {
		if err := post(ctx, a.url, violation); err != nil {
			fmt.Fprintf(a.errs, "antichain: --webhook: %v\n", err)
			isLost = true
		}
	}
	if isLost {
		a.lost.Add(1)
	}
}

// runCommand runs a command of the shell, with a violation as its standard input.
func runCommand(ctx context.Context, command string, violation []byte) error {
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", command)
	cmd.Stdin = bytes.NewReader(violation)
	cmd.WaitDelay = time.Second
	said, err := cmd.CombinedOutput()
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the command has not ended in time: %v", context.Cause(ctx))
	}
	return withWords(fmt.Errorf("the command has failed: %v", err), said)
}

// withWords adds to an error what was said.
func withWords(err error, said []byte) error {
	said = bytes.TrimSpace(said)
	if len(said) == 0 {
		return err
	}
	return fmt.Errorf("%w: %s", err, wording.Beginning(string(said), maxSaid))
}

// post sends a violation to an address. It tries again if no server is there, or one that asks for
// patience, until the context ends.
func post(ctx context.Context, address string, violation []byte) error {
	for pause := firstPause; ; pause *= 2 {
		mayHelp, err := postOnce(ctx, address, violation)
		if err == nil || !mayHelp {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// postOnce sends a violation once. After an error it reports whether another try may help.
func postOnce(ctx context.Context, address string, violation []byte) (mayHelp bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(violation))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(req)
	var failed *url.Error
	if errors.As(err, &failed) {
		return true, failed.Err // the address may have a secret
	}
	if err != nil {
		return true, err
	}
	defer answer.Body.Close()
	if answer.StatusCode/100 == 2 {
		return false, nil
	}
	said, _ := io.ReadAll(io.LimitReader(answer.Body, maxSaid))
	mayHelp = answer.StatusCode/100 == 5 || answer.StatusCode == http.StatusTooManyRequests
	return mayHelp, withWords(fmt.Errorf("the server answers %s", answer.Status), said)
}
