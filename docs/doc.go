// Package docs has tests alone: they run the commands that the README and the pages here show.
package docs
