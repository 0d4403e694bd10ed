package minors

// Pods and their templates.
var (
	RelaxedEnvNames = Change{Since: 32, Gate: "RelaxedEnvironmentVariableValidation",
		What: "environment variables may have any printable ASCII characters but '=' in their names"}
	RelaxedSearchPaths = Change{Since: 33, Gate: "RelaxedDNSSearchValidation", What: "dnsConfig.searches may have underscores, and a dot alone"}
	SleepZero          = Change{Since: 33, Gate: "PodLifecycleSleepActionAllowZero", What: "a lifecycle hook may sleep for 0 seconds"}
	ProcMount          = Change{Since: 33, Gate: "ProcMountType", What: "procMount is kept; before, any value becomes Default"}
	PodGeneration      = Change{Since: 33, What: "Pods count generations"}
	PodLevelResources  = Change{Since: 34, Gate: "PodLevelResources", What: "spec.resources of a Pod is kept, counted and completed"}
	SpreadKeysMerge    = Change{Since: 34, Gate: "MatchLabelKeysInPodTopologySpreadSelectorMerge",
		What: "matchLabelKeys of a new Pod's spread constraints become expressions of their selectors"}
	TopologyLabels        = Change{Since: 35, Gate: "PodTopologyLabelsAdmission", What: "a new Pod that names its Node gets the Node's labels of zone and region"}
	ImageVolumes          = Change{Since: 35, Gate: "ImageVolume", What: "image volumes are kept; before, they vanish with their mounts"}
	ContainerRestartRules = Change{Since: 35, Gate: "ContainerRestartRules", What: "containers may have a restartPolicy"}
	RestartPolicyVanishes = Change{Since: 34, Until: 34, What: "the restartPolicy of a container that is no init container vanishes; before, it is rejected"}
	RestartAllContainers  = Change{Since: 36, Gate: "RestartAllContainersOnContainerExits", What: "a restart rule may restart all containers, and sidecars may have rules"}
	ResizeRestartInit     = Change{Since: 36, What: "resizePolicy RestartContainer is rejected for init containers that are no sidecars"}
	ImageReferences       = Change{Since: 37, What: "an image volume of a template needs a reference"}
	SELinuxMountOption    = Change{Since: 37, Gate: "SELinuxMount", What: "seLinuxChangePolicy may be MountOption"}
	HostFieldsInSpec      = Change{Since: 37, What: "faults of hostUsers, hostPID, hostIPC and shareProcessNamespace come after those of securityContext, and name their fields"}
	PodLevelDefaultsLast  = Change{Since: 37, Gate: "PodLevelResourcesFixDefaulting",
		What: "pod-level resources are completed after admission, limits too if every container has one, and kept by an update that leaves them out"}
	InitAnnotationsInStrategy = Change{Since: 37, What: "annotations of old init containers are dropped after decoding, so that who sent them is their manager"}
	SysAdminKept              = Change{Since: 37, What: "an update may forbid a container of CAP_SYS_ADMIN to escalate, if the old one did not say that it may"}
	EmptyPodLevel             = Change{Since: 37, Gate: "PodLevelResourcesFixKubeletQOSClass", What: "empty pod-level resources do not decide a Pod's QoS class"}
	BindingNodeNames          = Change{Since: 37, What: "the node that a Binding names must be a DNS subdomain"}
)

// Workloads.
var (
	ServiceNameLabel       = Change{Since: 33, What: "serviceName of a new StatefulSet must be a DNS label"}
	MutableRevisionHistory = Change{Since: 33, What: "revisionHistoryLimit of a StatefulSet can change"}
	StatefulSetTemplates   = Change{Since: 34, What: "templates and claim templates of StatefulSets are validated"}
	ConditionStatusDefault = Change{Since: 34, What: "onPodConditions[].status defaults to True in CronJobs too"}
	StatefulSetFields      = Change{Since: 37, What: "an update of a StatefulSet names each field that is immutable"}
	StatefulSetUnavailable = Change{Since: 37, Gate: "MaxUnavailableStatefulSet", What: "rollingUpdate.maxUnavailable of StatefulSets is kept, and defaults to 1"}
	DaemonSetSelectorFirst = Change{Since: 34, What: "a changed selector of a DaemonSet is told before other faults of its spec"}
	SuspendedJobResources  = Change{Since: 36, Gate: "MutablePodResourcesForSuspendedJobs, MutableSchedulingDirectivesForSuspendedJobs",
		What: "a suspended Job without Pods may change what they request, also if it has run before"}
	JobNamedOnCreate        = Change{Since: 37, What: "the name of a Job, and the labels that it generates for its Pods, are checked when it is created, not when it changes"}
	AutoscalerTargetVersion = Change{Since: 34, What: "apiVersion of what a HorizontalPodAutoscaler scales must parse"}
	AutoscalerToZero        = Change{Since: 37, Gate: "HPAScaleToZero", What: "minReplicas may be 0 with an Object or External metric"}
	AutoscalerGeneration    = Change{Since: 37, Gate: "HPAGeneration", What: "HorizontalPodAutoscalers count generations"}
)

// Network, storage, the cluster.
var (
	ShrinkResize           = Change{Since: 32, Gate: "RecoverVolumeExpansionFailure", What: "a claim may ask for less than before, but for more than it has"}
	StrictSliceAddresses   = Change{Since: 33, What: "IPv6 addresses of EndpointSlices must be without ambiguities, and canonical"}
	TemplateAttributes     = Change{Since: 34, Gate: "VolumeAttributesClass", What: "volumeAttributesClassName of an ephemeral volume's claim is checked; before, it may be any text"}
	SameZoneTraffic        = Change{Since: 34, Gate: "PreferSameTrafficDistribution", What: "trafficDistribution may be PreferSameZone and PreferSameNode"}
	StrictAddresses        = Change{Since: 36, Gate: "StrictIPCIDRValidation", What: "addresses with leading zeros and mapped ones are rejected unless they are stored already"}
	RelaxedServiceNames    = Change{Since: 36, Gate: "RelaxedServiceNameValidation", What: "names of Services may begin with a digit"}
	EndPortShown           = Change{Since: 37, What: "an endPort below port is shown itself, not the port"}
	DriverScheduling       = Change{Since: 37, Gate: "VolumeLimitScaling", What: "preventPodSchedulingIfMissing of a CSIDriver defaults to false"}
	AttacherInSpec         = Change{Since: 36, What: "the attacher of a VolumeAttachment is told before the other faults of its spec, and checked when it changes too"}
	DriverNameOnce         = Change{Since: 35, What: "the missing name of a CSI driver is a missing value, and not an invalid one too"}
	DeclaredNodeFeatures   = Change{Since: 36, What: "status.declaredFeatures of a Node is checked"}
	ProviderIDFixed        = Change{Since: 37, What: "a change of a Node's providerID is Invalid, not Forbidden"}
	SharedDevices          = Change{Since: 36, Gate: "DRAConsumableCapacity", What: "the selector of a device can ask whether it is allocated several times"}
	RangeNamesDefault      = Change{Since: 37, What: "a default beyond the range of a device's capacity is a fault of the default, and the numbers of a range with steps fit into 64 bits"}
	CapacityKept           = Change{Since: 37, What: "capacities of a device that an update keeps are not checked again"}
	QuestionOfSpec         = Change{Since: 37, What: "a question about access that is about nothing, or about two things, is a fault of its spec"}
	RoleRefImmutable       = Change{Since: 37, What: "a changed roleRef is an immutable field"}
	StaticNamesRejected    = Change{Since: 37, Gate: "ManifestBasedAdmissionControlConfig", What: "names that end with .static.k8s.io are rejected on create"}
	OwnerIndex             = Change{Since: 37, What: "a fault of an ownerReference names its index, and a missing value as such"}
	MessageTolerations     = Change{Until: 34, What: "faults in the tolerations of a RuntimeClass are in scheduling.tolerations.tolerations"}
	QuotaOfDevices         = Change{Since: 34, Gate: "DynamicResourceAllocation, VolumeAttributesClass", What: "ResourceQuota counts ResourceClaims, and claims by attributes class"}
	OmitsNullTimes         = Change{Since: 34, What: "creationTimestamp: null is not printed"}
	CorruptObjects         = Change{Since: 37, Gate: "AllowUnsafeMalformedObjectDeletion", What: "a stored object that cannot be converted is corrupt"}
	AuthorizerNamed        = Change{Since: 37, What: "what an authorizer says of a refusal has its name"}
	LimitedImpersonation   = Change{Since: 36, Gate: "ConstrainedImpersonation", What: "who impersonates a ServiceAccount may be allowed to for some requests only, and a refusal names the request"}
	PolicyNamedOnCreate    = Change{Since: 36, What: "generateName of a NetworkPolicy is checked when it is created, not when it changes"}
	AttributesClassFirst   = Change{Until: 34, What: "faults of a changed VolumeAttributesClass are told before what cannot change"}
	DriversNamed           = Change{Since: 33, What: "a driver of a CSINode that cannot change is in spec.drivers; before, in CSINodeDriver"}
	MutableNodeAllocatable = Change{Since: 35, Gate: "MutableCSINodeAllocatableCount", What: "allocatable of a CSINode's driver can change"}
)

// kubectl of the same minor, and what merges server-side.
var (
	CreatesWithoutNulls = Change{Since: 31, What: "kubectl apply creates objects without what is null"}
	NullAnnotations     = Change{Since: 33, What: "kubectl reads a null annotation as an empty one; before, annotations with a null count as none"}
	ReservedInStrategy  = Change{Since: 37, What: "the strategy removes the reserved label from selectors of PodDisruptionBudgets; before, conversion"}
	KeepsOwners         = Change{Since: 37, What: "an update of an object that does not match its type keeps its managedFields; before, they are removed"}
	PartialKeys         = Change{Since: 34, What: "server-side, an item of a list may omit some of its merge keys; before, none"}
	MessageMatchTypo    = Change{Until: 31, What: "faults in the matchResources of a policy's binding are in matchResouces"}
)

// Warnings.
var (
	WarnMountOptions     = Change{Since: 31, What: "the annotation mount-options of a PersistentVolume is deprecated"}
	WarnNodeLabels       = Change{Since: 31, What: "created-by, preferAvoidPods and master are labels of Nodes out of use"}
	WarnOverlaps         = Change{Since: 32, What: "files of a volume that hide each other"}
	WarnMountableSecrets = Change{Since: 32, What: "the annotation enforce-mountable-secrets is deprecated"}
	WarnFinalizerPaths   = Change{Since: 32, What: "a finalizer of a custom resource with a domain and without a path, in words of its own"}
	WarnGitRepo          = Change{Since: 33, What: "gitRepo volumes are disabled by default"}
	WarnPortNames        = Change{Since: 33, What: "two ports of a Pod have the same name"}
	WarnAddresses        = Change{Since: 33, What: "addresses in an unusual form, of every kind and in new words; before, of Services"}
	WarnNegativeHistory  = Change{Since: 33, What: "a negative revisionHistoryLimit of a StatefulSet keeps all revisions"}
	WarnLabelValues      = Change{Since: 33, What: "a preferred node affinity with a value that no label can have"}
	WarnHeadless         = Change{Since: 34, What: "what a headless Service ignores"}
	WarnFormats          = Change{Since: 34, What: "formats of a CustomResourceDefinition that the server does not know"}
	KnowsShortNames      = Change{Since: 35, What: "k8s-short-name and k8s-long-name are known formats"}
	WarnPreferClose      = Change{Since: 35, What: "PreferClose is deprecated"}
	WarnDriverCase       = Change{Since: 35, What: "a ResourceSlice whose driver has capital letters"}
	WarnDriverTokens     = Change{Since: 35, Gate: "CSIServiceAccountTokenSecrets", What: "a CSIDriver that takes tokens in volume attributes"}
	WarnQuotaAboveLimits = Change{Since: 35, What: "a ResourceQuota that requests more than it limits"}
	WarnExternalIPs      = Change{Since: 36, What: "externalIPs are deprecated"}
	WarnStaticNames      = Change{Since: 36, What: "names that end with .static.k8s.io are reserved"}
	WarnAddressesInvalid = Change{Since: 36, What: "a stored address in an unusual form is invalid"}
	WarnSetsOfObjects    = Change{Since: 37, What: "a CustomResourceDefinition with a set of objects"}
	WarnExcludedWebhooks = Change{Since: 37, Gate: "ExcludeAdmissionWebhookVirtualResources", What: "a webhook rule for a resource that webhooks are not asked about"}
)

// Kubernetes 1.38, from the sources of its beta, with the places upstream: nothing is recorded of it yet.
var (
	DeclaredAlone         = Change{Since: 38, What: "what is declared without a mark takes the place of a handwritten check, which is gone"}             // pkg/apis/*/v1/zz_generated.validations.go; ValidateDeclarativelyWithMigrationChecks of k8s.io/apiserver
	StatefulSetRecreate   = Change{Since: 38, Gate: "StatefulSetRecreateStrategy", What: "updateStrategy of a StatefulSet may be Recreate"}              // ValidateStatefulSetSpec of pkg/apis/apps/validation
	MLDSAKeys             = Change{Since: 38, Gate: "PodCertificateMLDSA", What: "the key of a Pod's certificate may be of ML-DSA"}                      // validateProjectionSources of pkg/apis/core/validation
	CustomTooFew          = Change{Since: 38, What: "what is too short or too few in a custom resource is told as that, not as invalid"}                 // kubeOpenAPIResultToFieldErrors of k8s.io/apiextensions-apiserver pkg/apiserver/validation
	EmptyRuntimeClass     = Change{Since: 38, What: "an empty runtimeClassName is none"}                                                                 // prepareObjects of plugin/pkg/admission/runtimeclass
	ChangedToLimits       = Change{Since: 38, What: "an update is not held to a LimitRange for what a container, the Pod or the claim asked for before"} // PersistentVolumeClaimValidateLimitFunc of plugin/pkg/admission/limitranger
	QuotaAmountsKept      = Change{Since: 38, What: "an amount of a ResourceQuota that an update keeps is not checked again"}                            // validateResourceQuotaResourceList of pkg/apis/core/validation
	WholeAmounts          = Change{Since: 38, What: "whether an amount is whole is told exactly, also beyond 64 bits of thousandths"}                    // isIntegerResourceValue of pkg/apis/core/validation; hasFractionalBytes of pkg/api/pod
	CapacitySign          = Change{Since: 38, What: "a negative capacity of a PersistentVolume is shown as it is written"}                               // validateBasicResource of pkg/apis/core/validation
	PodRangesCleared      = Change{Since: 38, What: "podCIDRs of a Node that are cleared are Invalid, not Forbidden"}                                    // ValidateNodeUpdate of pkg/apis/core/validation
	PriorityValueFixed    = Change{Since: 38, What: "a changed value of a PriorityClass is an immutable field, not Forbidden"}                           // ValidatePriorityClassUpdate of pkg/apis/scheduling/validation
	AttachRequiredNamed   = Change{Since: 38, What: "a changed attachRequired of a CSIDriver is named so; before, attachedRequired"}                     // validateCSIDriverSpec of pkg/apis/storage/validation
	CapacityClassRequired = Change{Since: 38, What: "an empty storageClassName of a CSIStorageCapacity is a missing value"}                              // ValidateCSIStorageCapacity of pkg/apis/storage/validation
	BundleGeneration      = Change{Since: 38, What: "ClusterTrustBundles and PodCertificateRequests have generations"}                                   // PrepareForCreate of pkg/registry/certificates/clustertrustbundle and podcertificaterequest
	JobDelegation         = Change{Since: 38, What: "the two annotations that delegate the scheduling of a Job need each other"}                         // validateDelegationAnnotations of pkg/apis/batch/validation
	NamesWithSlashes      = Change{Since: 38, What: "the name of an attribute or a capacity of a device may have one slash"}                             // validateQualifiedName of pkg/apis/resource/validation
	RequestedCapacities   = Change{Since: 38, What: "the names of the capacities that a claim of devices requests are checked"}                          // validateCapacityRequirements of pkg/apis/resource/validation
	SliceDevicesKept      = Change{Since: 38, What: "devices of a ResourceSlice that an update keeps are not checked again"}                             // validateResourceSliceSpec of pkg/apis/resource/validation
	OneNodeTerm           = Change{Since: 38, What: "the node selector of a device has one term"}                                                        // validateDeviceNodeSelection of pkg/apis/resource/validation
	VersionDigits         = Change{Since: 38, What: "a number of a device's version has at most 18 digits"}                                              // semverRe of pkg/apis/resource/validation
	WarnNewController     = Change{Since: 38, What: "a changed ReplicationController is warned of its new template; before, of its old one"}             // WarningsOnUpdate of pkg/registry/core/replicationcontroller
	WarnTaintsAll         = Change{Since: 38, What: "a DeviceTaintRule whose selector is empty"}                                                         // warningsForDeviceTaintRule of pkg/registry/resource/devicetaintrule
	ObjectInOneLine       = Change{Since: 38, What: "kubectl describes an object in one line of its errors; before, in two"}                             // Info.String of k8s.io/cli-runtime pkg/resource
)
