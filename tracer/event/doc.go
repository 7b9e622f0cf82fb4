// Package event defines the trace: its header, its events, and the values they carry.
package event
