// Package rules is the catalogue: what goes wrong when manifests are applied. Each
// rule is a value in a file of its own; All lists them. Rules are about apply
// risk only, never about style, and none needs configuration to be useful.
package rules

import (
	"threeway/lint"
)

// All returns every rule, sorted by ID.
func All() []*lint.Rule {
	return []*lint.Rule{
		ambiguousObject,
		apiVersionShift,
		appliedTooEarly,
		applyRejected,
		applysetLabelInConfig,
		applysetNamespacedParent,
		applysetParentInvalid,
		applysetSharedByDirectories,
		applysetStealsMember,
		breaksReference,
		cannotBeUndone,
		clearedSetting,
		clearsLiveChange,
		configNotPickedUp,
		controllerOwnedObject,
		crdAndResourceTogether,
		crdDropsFields,
		crdDropsStoredVersion,
		crdRejectsObjects,
		crdStopsServing,
		customResourceListReplaced,
		deletingObject,
		duplicateMergeKey,
		emptyClaimTemplates,
		envReferenceOrder,
		envValueSourceSwitch,
		explicitNull,
		fallsBackToDefault,
		gainsNodeAccess,
		generateName,
		helmHookApplied,
		immutableFieldChange,
		imperativeManager,
		implicitPodLabels,
		implicitRolloutStrategy,
		implicitSelector,
		ingressLosesRoute,
		invalidSuppression,
		lastAppliedTooLarge,
		listItemWithoutMergeKey,
		losesData,
		managedByOtherTool,
		mergeKeyRenamed,
		mergeSetsTwoOfOne,
		missingLastApplied,
		missingReference,
		mixedApplyMethods,
		mutableSelectorLabel,
		narrowMergeKey,
		networkPolicyWidens,
		opensToOutside,
		overlappingSelectors,
		podSecurityLowered,
		pruneClusterScoped,
		pruneDefaultAllowlist,
		pruneEmptyInput,
		pruneForeignObject,
		pruneFromSubdirectory,
		pruneLeaksKind,
		pruneNamespaceNotVisited,
		pruneScopeChanged,
		pruneSelectorMissesConfig,
		pruneStatefulData,
		pruneWithServerSide,
		pruneWithoutSelector,
		removedObjectStays,
		renamedObject,
		replaceListDropsLive,
		replicasDropToOne,
		replicasWithAutoscaler,
		restartWithoutOverlap,
		revertsLiveChange,
		rightsWiden,
		rolloutBlocked,
		secretStringData,
		selectorChange,
		selectorNotSinglePurpose,
		selectorTemplateMismatch,
		serverMetadataInConfig,
		serviceLosesPods,
		servicePortWithoutTarget,
		serviceTypeLeavesDependents,
		ssaConflict,
		ssaForceTakesOwnership,
		ssaManagerRenamed,
		strategyChangeKeepsDefaults,
		stuckAfterSSAMigration,
		survivesApply,
		templateNotRolledOut,
		unknownField,
		unusedSuppression,
		webhookBeginsToReject,
	}
}

// The addresses that the links of rules begin with.
const (
	declarative = "https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/"
	issue       = "https://github.com/kubernetes/kubernetes/issues/"
	applyPage   = "https://kubernetes.io/docs/reference/using-api/server-side-apply/"
	pruneKEP    = "https://www.kubernetes.dev/resources/keps/3659/"
)
