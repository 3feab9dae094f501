import { describe, expect, it } from 'vitest';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { publishedNames } from './names.ts';

const names = publishedNames(vocabularies.platform);

describe('the names of definitions', () => {
  it.each([
    ['core.v1.Pod', 'io.platform.api.core.v1.Pod'],
    ['rbac.v1.Role', 'io.platform.api.rbac.v1.Role'],
    ['meta.v1.ObjectMeta', 'io.platform.apimachinery.pkg.apis.meta.v1.ObjectMeta'],
    ['api.resource.Quantity', 'io.platform.apimachinery.pkg.api.resource.Quantity'],
    ['util.intstr.IntOrString', 'io.platform.apimachinery.pkg.util.intstr.IntOrString'],
    ['runtime.RawExtension', 'io.platform.apimachinery.pkg.runtime.RawExtension'],
    ['version.Info', 'io.platform.apimachinery.pkg.version.Info'],
    ['apiextensions.v1.JSON', 'io.platform.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON'],
    ['apiregistration.v1.APIService', 'io.platform.kube-aggregator.pkg.apis.apiregistration.v1.APIService'],
    ['zoo.example.com/v1.Lion', 'com.example.zoo.v1.Lion'],
  ])('say where %s belongs: %s', (type, name) => {
    expect(names.definition(type)).toBe(name);
  });

  it('are those of the vocabulary', () => {
    const original = publishedNames(vocabularies.kubernetes);
    expect(original.definition('core.v1.Pod')).toBe('io.k8s.api.core.v1.Pod');
    expect(original.prefix('rbac.authorization.k8s.io', 'v1')).toBe('RbacAuthorizationV1');
  });
});

describe('the names of operations and tags', () => {
  it.each([
    ['', 'v1', 'CoreV1', 'core_v1'],
    ['apps', 'v1', 'AppsV1', 'apps_v1'],
    ['flowcontrol.apiserver.platform.io', 'v1beta2', 'FlowcontrolApiserverV1beta2', 'flowcontrolApiserver_v1beta2'],
    ['zoo-keepers.example.com', 'v1', 'ZooKeepersExampleComV1', 'zooKeepersExampleCom_v1'],
  ])('contain the words of %s/%s', (group, version, prefix, tag) => {
    expect(names.prefix(group, version)).toBe(prefix);
    expect(names.tag(group, version)).toBe(tag);
  });

  it('can be of a group as a whole', () => {
    expect(names.prefix('apps')).toBe('Apps');
    expect(names.tag('storage.platform.io', '')).toBe('storage');
  });
});
