package server

import (
	"os"
	"strconv"
	"sync"
	"testing"

	apiextensionsinternal "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
	gvk "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	aggregatorinternal "k8s.io/kube-aggregator/pkg/apis/apiregistration"
	apiregistration "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	aggregator "k8s.io/kube-aggregator/pkg/apiserver/scheme"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	_ "k8s.io/kubernetes/pkg/apis/admissionregistration/install"
	_ "k8s.io/kubernetes/pkg/apis/apiserverinternal/install"
	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/authentication/install"
	_ "k8s.io/kubernetes/pkg/apis/authorization/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/certificates/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/core/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/events/install"
	_ "k8s.io/kubernetes/pkg/apis/flowcontrol/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/node/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/rbac/install"
	_ "k8s.io/kubernetes/pkg/apis/resource/install"
	_ "k8s.io/kubernetes/pkg/apis/scheduling/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
	_ "k8s.io/kubernetes/pkg/apis/storagemigration/install"
	"k8s.io/kubernetes/pkg/kubeapiserver"

	"threeway/merge/kube/schema"
)

// minor is the Kubernetes minor of the upstream packages: that of go.mod, or the one
// that release names, which runs these tests with another go.mod.
var minor = func() int {
	if n, err := strconv.Atoi(os.Getenv("MINOR")); err == nil {
		return n
	}
	return 36
}()

// kind is one built-in kind, as we and upstream see it.
type kind struct {
	schema.Kind
	ours    *schema.Type
	scheme  *runtime.Scheme
	decoder runtime.Decoder // strict: JSON to internal
	encoder runtime.Encoder // internal to JSON of the kind's version
	storage runtime.Codec
	hub     gvk.GroupVersion
}

func (k *kind) String() string { return k.APIVersion() + "." + k.Kind.Kind }

// kinds are all kinds that the minor serves when not told otherwise.
var kinds = sync.OnceValue(func() []*kind {
	definitions := runtime.NewScheme()
	apiextensions.Install(definitions)
	definitionCodecs := serializer.NewCodecFactory(definitions)
	var list []*kind
	for _, r := range schema.Resources() {
		if !r.In(minor) || !r.OnByDefault() {
			continue
		}
		k := &kind{Kind: r.Kind, ours: schema.Lookup(r.Kind)}
		k.hub = gvk.GroupVersion{Group: r.Group, Version: runtime.APIVersionInternal}
		switch r.Group {
		case apiextensionsinternal.GroupName:
			k.use(definitions, definitionCodecs)
			k.storage = definitionCodecs.LegacyCodec(apiextensionsv1beta1.SchemeGroupVersion, apiextensionsv1.SchemeGroupVersion)
		case aggregatorinternal.GroupName:
			k.use(aggregator.Scheme, aggregator.Codecs)
			k.storage = aggregator.Codecs.LegacyCodec(apiregistration.SchemeGroupVersion)
		default:
			k.use(legacyscheme.Scheme, legacyscheme.Codecs)
			k.storage = protobufStorage(r)
		}
		list = append(list, k)
	}
	return list
})

func (k *kind) use(scheme *runtime.Scheme, codecs serializer.CodecFactory) {
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	k.scheme = scheme
	k.decoder = codecs.DecoderToVersion(info.StrictSerializer, k.hub)
	k.encoder = codecs.EncoderForVersion(info.Serializer, gvk.GroupVersion{Group: k.Group, Version: k.Version})
}

// protobufStorage is how kube-apiserver stores a resource.
func protobufStorage(r schema.Resource) runtime.Codec {
	config := kubeapiserver.NewStorageFactoryConfig()
	for _, override := range config.ResourceEncodingOverrides {
		internal := gvk.GroupVersion{Group: override.Group, Version: runtime.APIVersionInternal}
		config.DefaultResourceEncoding.SetResourceEncoding(override.GroupResource(), override.GroupVersion(), internal)
	}
	version, err := config.DefaultResourceEncoding.StorageEncodingFor(gvk.GroupResource{Group: r.Group, Resource: r.Plural})
	if err != nil {
		panic(err)
	}
	codec, _, err := serverstorage.NewStorageCodec(serverstorage.StorageCodecConfig{
		StorageMediaType:  runtime.ContentTypeProtobuf,
		StorageSerializer: legacyscheme.Codecs,
		StorageVersion:    version,
		MemoryVersion:     gvk.GroupVersion{Group: r.Group, Version: runtime.APIVersionInternal},
	})
	if err != nil {
		panic(err)
	}
	return codec
}

func TestKinds(t *testing.T) {
	for _, k := range kinds() {
		if k.ours == nil {
			t.Errorf("%s: no type in merge/kube/schema", k)
		}
		if _, err := k.scheme.New(k.hub.WithKind(k.Kind.Kind)); err != nil {
			t.Error(err)
		}
	}
	if len(kinds()) < 65 {
		t.Errorf("only %d kinds", len(kinds()))
	}
	t.Logf("%d kinds", len(kinds()))
}
