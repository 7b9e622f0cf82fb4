package ring

import (
	"encoding/binary"
	"testing"
	"time"
)

// A schedule lies behind the slots, where the program finds its parts.
func TestSchedule(t *testing.T) {
	s := &Schedule{
		Steps: []Step{
			{Nth: 2, Places: []Code{{10, 20}, {30, 40}}, Waits: true},
			{
				Nth: 1, Places: []Code{{50, 51}}, Class: 1, Role: 3, Decides: true, Blocks: true,
				Object: 8, Others: 9, Op: OpLock,
			},
		},
		Roles: true, Alone: true, Starts: []Start{{Class: 0, Places: []Code{{70, 71}}, Nth: 5}}, User: []Code{{5, 100}},
		Patience: time.Second, Quiet: time.Millisecond, Halt: 1,
		Lines: []int{4, 6}, Holds: time.Minute,
	}
	r, err := Create(t.TempDir(), Options{Slots: minSlots, Schedule: s})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	at := HeaderSize + minSlots*SlotSize
	le := binary.LittleEndian
	if n := le.Uint64(r.mem[OffSchedule:]); int(n) != len(r.mem)-at {
		t.Errorf("%d bytes behind the slots, want %d", n, len(r.mem)-at)
	}
	b := r.mem[at:]
	places := ScheduleData + 2*StepSize + StartSize
	for _, w := range []struct {
		name      string
		got, want uint64
	}{
		{"patience", le.Uint64(b[SchedulePatient:]), uint64(time.Second)},
		{"quiet", le.Uint64(b[ScheduleQuiet:]), uint64(time.Millisecond)},
		{"roles", uint64(le.Uint32(b[ScheduleRoles:])), 1},
		{"alone", uint64(le.Uint32(b[ScheduleAlone:])), 1},
		{"steps", uint64(le.Uint32(b[ScheduleSteps:])), 2},
		{"starts", uint64(le.Uint32(b[ScheduleStarts:])), 1},
		{"places", uint64(le.Uint32(b[SchedulePlaces:])), 4},
		{"user", uint64(le.Uint32(b[ScheduleUser:])), 1},
		{"halt", uint64(le.Uint32(b[ScheduleHalt:])), 1},
		{"nth", uint64(le.Uint32(b[ScheduleData+StepNth:])), 2},
		{"flags", uint64(le.Uint32(b[ScheduleData+StepFlags:])), StepWaits},
		{"flags 2", uint64(le.Uint32(b[ScheduleData+StepSize+StepFlags:])), StepDecides | StepBlocks},
		{"object 2", uint64(le.Uint32(b[ScheduleData+StepSize+StepObject:])), 8},
		{"others 2", uint64(le.Uint32(b[ScheduleData+StepSize+StepOthers:])), 9},
		{"operation 2", uint64(le.Uint32(b[ScheduleData+StepSize+StepOp:])), OpLock},
		{"place 2", uint64(le.Uint32(b[ScheduleData+StepSize+StepPlace:])), 2},
		{"role 2", uint64(le.Uint32(b[ScheduleData+StepSize+StepRole:])), 3},
		{"start", uint64(le.Uint32(b[ScheduleData+2*StepSize+StartPlace:])), 3},
		{"nth start", uint64(le.Uint32(b[ScheduleData+2*StepSize+StartNth:])), 5},
		{"code", le.Uint64(b[places+CodeSize+CodeLo:]), 30},
		{"code of the start", le.Uint64(b[places+3*CodeSize+CodeHi:]), 71},
		{"code of the user", le.Uint64(b[places+4*CodeSize+CodeLo:]), 5},
	} {
		if w.got != w.want {
			t.Errorf("%s is %d, want %d", w.name, w.got, w.want)
		}
	}
	if lines := b[places+5*CodeSize:]; le.Uint32(b[ScheduleLines:]) != 2 ||
		le.Uint64(b[ScheduleHolds:]) != uint64(time.Minute) || le.Uint32(lines) != 4 ||
		le.Uint32(lines[LineSize:]) != 6 {
		t.Errorf("lines %v", lines[:2*LineSize])
	}
	le.PutUint32(b[ScheduleDone:], 1)
	le.PutUint32(b[ScheduleMet:], 1)
	le.PutUint64(b[ScheduleMost:], 3)
	le.PutUint32(b[ScheduleUnsure:], 1)
	if p := r.Progress(); p != (Progress{Done: 1, Unsure: true, Met: true, Most: 3}) {
		t.Errorf("progress %+v", p)
	}
	le.PutUint32(b[ScheduleEnd:], 2)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if p := r.Progress(); p != (Progress{Done: 1, GaveUp: true, Unsure: true, Met: true, Most: 3}) {
		t.Errorf("progress %+v after the end", p)
	}
}

// Without a schedule there is nothing behind the slots.
func TestNoSchedule(t *testing.T) {
	r, err := Create(t.TempDir(), Options{Slots: minSlots})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if len(r.mem) != HeaderSize+minSlots*SlotSize || r.Progress() != (Progress{}) {
		t.Errorf("%d bytes, %+v", len(r.mem), r.Progress())
	}
}
