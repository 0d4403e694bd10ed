package podsecurity

// check is one of upstream's checks.
type check struct {
	id       string
	replaces string // the baseline check that a restricted one takes the place of
	// revisions, the newest last
	revisions []revision
}

// revision is what a check looks for since a policy version.
type revision struct {
	since int
	check function
}

// function returns why a Pod does not pass; an empty reason if it does.
type function func(pod) (reason, detail string)

// in is the check in a policy version, nil if there is none yet.
func (c check) in(version int) (f function) {
	for _, r := range c.revisions {
		if r.since <= version {
			f = r.check
		}
	}
	return f
}

// baseline has the checks of that level, sorted by upstream's id
// (policy/check_ID.go).
var baseline = []check{
	{id: "appArmorProfile", revisions: []revision{{0, appArmorProfile}}},
	{id: "capabilities_baseline", revisions: []revision{{0, addedCapabilities}}},
	{id: "hostNamespaces", revisions: []revision{{0, hostNamespaces}}},
	{id: "hostPathVolumes", revisions: []revision{{0, hostPathVolumes}}},
	{id: "hostPorts", revisions: []revision{{0, hostPorts}}},
	{id: "hostProbesAndHostLifecycle", revisions: []revision{{34, hostProbes}}},
	{id: "privileged", revisions: []revision{{0, privileged}}},
	{id: "procMount", revisions: []revision{{0, procMount}, {35, exceptOwnUsers(procMount)}}},
	{id: "seLinuxOptions", revisions: []revision{{0, seLinuxOptions(0)}, {31, seLinuxOptions(31)}}},
	{id: "seccompProfile_baseline", revisions: []revision{{0, seccompAnnotations}, {19, seccompProfile}}},
	{id: "sysctls", revisions: []revision{{0, sysctls(0)}, {27, sysctls(27)}, {29, sysctls(29)}, {32, sysctls(32)}, {37, sysctls(37)}}},
	{id: "windowsHostProcess", revisions: []revision{{0, windowsHostProcess}}},
}

// restricted has the checks that only that level has, sorted in the same way.
var restricted = []check{
	{id: "allowPrivilegeEscalation", revisions: []revision{{8, allowPrivilegeEscalation}, {25, exceptWindows(allowPrivilegeEscalation)}}},
	{id: "capabilities_restricted", replaces: "capabilities_baseline",
		revisions: []revision{{22, keptCapabilities}, {25, exceptWindows(keptCapabilities)}}},
	{id: "procMount_restricted", replaces: "procMount", revisions: []revision{{35, procMount}}},
	{id: "restrictedVolumes", replaces: "hostPathVolumes", revisions: []revision{{0, volumeTypes}}},
	{id: "runAsNonRoot", revisions: []revision{{0, runAsNonRoot}, {35, exceptOwnUsers(runAsNonRoot)}}},
	{id: "runAsUser", revisions: []revision{{23, runAsUser}, {35, exceptOwnUsers(runAsUser)}}},
	{id: "seccompProfile_restricted", replaces: "seccompProfile_baseline",
		revisions: []revision{{19, requiredSeccomp}, {25, exceptWindows(requiredSeccomp)}}},
}

// allowed is a value and the policy version since which it is allowed.
type allowed map[string]int

// in reports whether the value is allowed in a policy version.
func (a allowed) in(version int, value string) bool {
	since, ok := a[value]
	return ok && since <= version
}

var capabilities = allowed{
	"AUDIT_WRITE": 0, "CHOWN": 0, "DAC_OVERRIDE": 0, "FOWNER": 0, "FSETID": 0, "KILL": 0, "MKNOD": 0, "NET_BIND_SERVICE": 0,
	"SETFCAP": 0, "SETGID": 0, "SETPCAP": 0, "SETUID": 0, "SYS_CHROOT": 0,
}

var seLinuxTypes = allowed{"": 0, "container_t": 0, "container_init_t": 0, "container_kvm_t": 0, "container_engine_t": 31}

var safeSysctls = allowed{
	"kernel.shm_rmid_forced":              0,
	"net.ipv4.ip_local_port_range":        0,
	"net.ipv4.ip_unprivileged_port_start": 0,
	"net.ipv4.ping_group_range":           0,
	"net.ipv4.tcp_syncookies":             0,
	"net.ipv4.ip_local_reserved_ports":    27,
	"net.ipv4.tcp_fin_timeout":            29,
	"net.ipv4.tcp_keepalive_intvl":        29,
	"net.ipv4.tcp_keepalive_probes":       29,
	"net.ipv4.tcp_keepalive_time":         29,
	"net.ipv4.tcp_rmem":                   32,
	"net.ipv4.tcp_wmem":                   32,
	"net.ipv4.tcp_notsent_lowat":          37,
	"net.ipv4.tcp_slow_start_after_idle":  37,
}

// freeVolumes are the volume types that a restricted Pod may use, by the minor
// of the server: this check has one revision only, and older servers do not
// know what came later.
var freeVolumes = allowed{
	"configMap": 0, "csi": 0, "downwardAPI": 0, "emptyDir": 0, "ephemeral": 0, "image": 33, "persistentVolumeClaim": 0, "projected": 0, "secret": 0,
}

// namedVolumes are the other types, in the order in which upstream asks for
// them: a volume of none of them is "unknown".
var namedVolumes = []string{
	"hostPath", "gcePersistentDisk", "awsElasticBlockStore", "gitRepo", "nfs", "iscsi", "glusterfs", "rbd", "flexVolume", "cinder", "cephfs",
	"flocker", "fc", "azureFile", "vsphereVolume", "quobyte", "azureDisk", "photonPersistentDisk", "portworxVolume", "scaleIO", "storageos",
}
