package rules

import "embed"

// In a browser the site has the pages of the rules, so that their examples need
// not be loaded with the program.
var exampleFiles embed.FS
