// Package wording formats counts, lists and long expressions for reports and error messages.
package wording
