package wire

// portion is how many bytes of records a request asks for, or has. A line that is too slow for it within the request's deadline would
// never make progress, so it is halved whenever a request has taken too long, and doubled again whenever one has not.
type portion struct {
	now, most int
}

// leastPortion is fast enough for lines of 8 kB/s; a batch is never divided, though.
const leastPortion = 64 << 10

func newPortion(most int) portion { return portion{most, most} }

// adapt takes note of how a request went.
func (p *portion) adapt(err error) {
	switch {
	case err == nil:
		p.now = min(2*p.now, p.most)
	case timedOut(err):
		p.now = max(p.now/2, leastPortion)
	}
}
