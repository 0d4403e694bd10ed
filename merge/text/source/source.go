// Package source reads the text of manifests and snapshots, JSON and YAML, as
// kubectl's decoders do, and knows afterwards where in the text everything is.
//
// A Stream takes a text apart into Documents and decodes them: parser of JSON,
// parser of the block YAML that people and kubectl write, and for all other YAML
// the library that kubectl uses. A Document finds the line and column of a field
// (Find, Position), the extent of a List's item, and writes the text anew with
// strings replaced (Rewritten). A Layout tells the items of a large List apart
// without decoding them. Nothing here knows what an object is.
package source
