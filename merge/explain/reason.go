package explain

// Reason says why a field is as it is in the result. The set is closed.
type Reason string

// The reasons. "Last-applied" stands for what the manager owns in a server-side
// apply.
const (
	// Set: the manifest sets the field, and the live object has another value.
	Set Reason = "set"
	// Added: the manifest sets the field, and the live object does not have it.
	Added Reason = "added"
	// Undone: the manifest sets the field as last-applied does, and live was changed
	// since.
	Undone Reason = "undone"
	// Cleared: last-applied has the field, or what it is in, and the manifest
	// does not; apply removes it.
	Cleared Reason = "cleared"
	// Nulled: the field, or what it is in, is null in the manifest.
	Nulled Reason = "nulled"
	// Excluded: the field is removed, though the manifest did not leave it out:
	// what the manifest sets excludes it, by retainKeys or in the server.
	Excluded Reason = "excluded"
	// Kept: only the live object has the field.
	Kept Reason = "kept"
	// Defaulted: the server sets the field, which the manifest does not set: in a
	// new object or parent, or because last-applied has it.
	Defaulted Reason = "defaulted"
	// ReplacedList: the field is a list that does not merge: the manifest's
	// replaces the live one.
	ReplacedList Reason = "replaced-list"
	// Reordered: a list that merges has the same items in another order.
	Reordered Reason = "reordered"
	// Normalized: the server changes a value that no manifest changes.
	Normalized Reason = "normalized"
	// Mutated: a MutatingAdmissionPolicy sets, changes or removes the field.
	Mutated Reason = "mutated"
	// Dropped: the server does not know the field.
	Dropped Reason = "dropped"
	// OwnedBy: the manifest does not set the field, and other managers own it.
	OwnedBy Reason = "owned-by"
	// Conflict: the manifest sets another value than the manager that owns it.
	Conflict Reason = "conflict"
)

// The explanations that are the same for every field. A test over all recorded
// cases holds each of them against manifest, last-applied, live object, patch and
// result.
const (
	changed         = "changed in the manifest"
	setBack         = "live differs from last-applied; apply sets it back"
	overwritten     = "new in the manifest; replaces the live value"
	anotherValue    = "the manifest sets another value"
	added           = "new in the manifest"
	addedBack       = "missing from the live object; apply adds it back"
	addedUnknown    = "in the manifest, not in the live object"
	left            = "removed from the manifest"
	leftReset       = left + "; reset to the server's default"
	leftString      = "removed from stringData in the manifest; the server keeps it in data"
	nulled          = "null in the manifest"
	nulledReset     = nulled + "; reset to the server's default"
	nulledStored    = nulled + "; stored as an empty value"
	leftOwned       = "not in the manifest; owned by a client-side apply; removed"
	serverRemoves   = "removed by the server"
	notStored       = "in the manifest, but not in the result"
	serverSets      = "set by the server"
	serverChanges   = "changed by the server"
	replaced        = "the list does not merge; the manifest's replaces the live one"
	merged          = "the list merges with the manifest's"
	placed          = "the namespace that the manifest is applied to"
	reordered       = "same items in the order of the manifest"
	otherOrder      = "same items in another order"
	keptLive        = "in neither the manifest nor last-applied; kept"
	keptUnknown     = "not in the manifest, and there is no last-applied; kept"
	mutatedSet      = "set by MutatingAdmissionPolicy "
	mutatedReplaced = "the manifest's value is replaced by MutatingAdmissionPolicy "
	mutatedRemoved  = "removed by MutatingAdmissionPolicy "
	setBackReleased = "live differs from the last release; Helm sets it back"
	keptAdopted     = "not in the manifest; Helm adopts the object and removes nothing; kept"
	leftLive        = "not in the manifest; the last revision does not have the object, so Helm removes it"
	unseen          = "live differs from the manifest, which is the same as in the last release; of a custom resource Helm compares only those two; kept"
	marked          = "set by Helm on every object of a release"
	markedBy        = "set on every object by "
	takenOver       = "not in the manifest; set with kubectl, and Flux takes over what kubectl owns; removed"
	cleanedUp       = "left by kubectl; Flux removes it"
	unknownField    = "unknown to the server; dropped"
	conflicting     = "the manifest sets another value; --force-conflicts takes the field over, leaving it out of the manifest keeps the live value"
)
