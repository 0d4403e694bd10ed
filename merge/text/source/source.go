// Package source reads the text of manifests and snapshots, JSON and YAML, as
// kubectl's decoders do, and finds the position of everything in the text.
//
// A Stream splits a text into Documents and decodes them. It has parsers for
// JSON and for the block YAML that people and kubectl write; for all other YAML
// it uses kubectl's library. A Document finds the line and column of a field
// (Find, Position) and the extent of a List's item, and rewrites the text with
// strings replaced (Rewritten). A Layout finds the items of a large List
// without decoding them. Nothing here knows what an object is.
package source
