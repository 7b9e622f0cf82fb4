package deadlock

import "github.com/antichain-go/antichain/tlcheck/internal/reorder"

// Reorders is reorders.
func (d *Detector) Reorders(h *reorder.History) { d.reorders(h) }
