// Package kafka moves traces through topics of Kafka: it sends them, and gives those of a topic to
// monitors, which share its partitions.
//
//	program ─► Sink ──┐   topic, a run in one    ┌─► Group member: partitions 0 2 4 ─┬─► verdicts
//	program ─► Sink ──┼─► partition by its id ──►┤                                   ├─► dead letters
//	other producers ──┘                          └─► Group member: partitions 1 3    └─► snapshots
//
// What it knows of traces is that records have a run (package record); what is done with them is a
// Processor's.
package kafka
