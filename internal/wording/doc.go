// Package wording puts counts, lists and long expressions into the words that people read.
package wording
