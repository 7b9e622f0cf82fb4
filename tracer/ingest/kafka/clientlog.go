package kafka

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/kgo"
)

// clientLog is the log of a client. The client repeats itself while something is wrong, so each of its
// warnings comes once a minute at most; what is said elsewhere is left out.
type clientLog struct {
	log zerolog.Logger

	mu   sync.Mutex
	said map[string]time.Time // by message, of which the client has some dozens
}

var _ kgo.Logger = (*clientLog)(nil)

// clientLevels has what is said by the client at each level: one less, for its details are no operator's.
var clientLevels = map[zerolog.Level]kgo.LogLevel{
	zerolog.TraceLevel: kgo.LogLevelDebug,
	zerolog.DebugLevel: kgo.LogLevelInfo,
	zerolog.InfoLevel:  kgo.LogLevelWarn,
	zerolog.WarnLevel:  kgo.LogLevelWarn,
	zerolog.ErrorLevel: kgo.LogLevelError,
}

// Level implements kgo.Logger.
func (l *clientLog) Level() kgo.LogLevel {
	return clientLevels[max(l.log.GetLevel(), zerolog.GlobalLevel())]
}

// saidElsewhere begins messages about what network, and the member, say in their own words.
var saidElsewhere = []string{"unable to open connection to broker", "group manage loop errored", "batch decompresses larger"}

// Log implements kgo.Logger.
func (l *clientLog) Log(level kgo.LogLevel, message string, pairs ...any) {
	if slices.ContainsFunc(saidElsewhere, func(begin string) bool { return strings.HasPrefix(message, begin) }) || level <= kgo.LogLevelWarn && !l.news(message, time.Now()) {
		return
	}
	var e *zerolog.Event
	switch level {
	case kgo.LogLevelError:
		e = l.log.Error()
	case kgo.LogLevelWarn:
		e = l.log.Warn()
	case kgo.LogLevelInfo:
		e = l.log.Debug()
	default:
		e = l.log.Trace()
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		e = e.Str(fmt.Sprint(pairs[i]), clip(fmt.Sprint(pairs[i+1]), 300))
	}
	e.Str("by", "client").Msg(message)
}

// news reports whether a message has not been said for a minute.
func (l *clientLog) news(message string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if last, ok := l.said[message]; ok && now.Sub(last) < time.Minute {
		return false
	}
	l.said[message] = now
	return true
}
