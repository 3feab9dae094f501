import { RELEASE, type Release } from '../api/release.ts';
import { DEFAULT_FEATURES, type Features } from '../features/features.ts';
import { Catalogue, type ServedGroup } from '../registry/catalogue.ts';
import { kindsOf } from '../registry/kind.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { servedWith } from '../registry/runtime-config.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { admissionregistrationResources } from './admissionregistration/resources.ts';
import { apiextensionsResources } from './apiextensions/resources.ts';
import { apiregistrationResources } from './apiregistration/resources.ts';
import { apiserverinternalResources } from './apiserverinternal/resources.ts';
import { appsResources } from './apps/resources.ts';
import { authenticationResources } from './authentication/resources.ts';
import { authorizationResources } from './authorization/resources.ts';
import { autoscalingResources } from './autoscaling/resources.ts';
import { batchResources } from './batch/resources.ts';
import { certificatesResources } from './certificates/resources.ts';
import { coordinationResources } from './coordination/resources.ts';
import { coreResources } from './core/resources.ts';
import { discoveryResources } from './discovery/resources.ts';
import { eventsResources } from './events/resources.ts';
import { explainResources } from './explain/resources.ts';
import { flowcontrolResources } from './flowcontrol/resources.ts';
import { networkingResources } from './networking/resources.ts';
import { nodeResources } from './node/resources.ts';
import { policyResources } from './policy/resources.ts';
import { rbacResources } from './rbac/resources.ts';
import { schedulingResources } from './scheduling/resources.ts';
import { storageResources } from './storage/resources.ts';

/** A group as discovery ranks it: `priority` among groups, `versionPriorities` beside `versions`; higher comes first. */
export interface RankedGroup extends ServedGroup {
  readonly priority: number;
  readonly versionPriorities: readonly number[];
}

/** The place of a group among groups, and of a version within it. */
export interface VersionPriorities {
  readonly group: number;
  readonly version: number;
}

/** Every resource type the server has by itself, served or not, in the order of `groupOrder`. */
export const builtInTypes = (v: Vocabulary, features: Features = DEFAULT_FEATURES): readonly ResourceType[] =>
  everyType(v).filter(({ feature }) => feature === undefined || features.isOn(feature));

/** Also those that are there only while a feature is on. */
export const everyType = (v: Vocabulary): readonly ResourceType[] => [
  ...coreResources(v),
  ...apiregistrationResources(v),
  ...appsResources(),
  ...eventsResources(v),
  ...authenticationResources(v),
  ...authorizationResources(v),
  ...autoscalingResources(v),
  ...batchResources(),
  ...certificatesResources(v),
  ...networkingResources(v),
  ...policyResources(),
  ...rbacResources(v),
  ...storageResources(v),
  ...admissionregistrationResources(v),
  ...apiextensionsResources(v),
  ...schedulingResources(v),
  ...coordinationResources(v),
  ...nodeResources(v),
  ...discoveryResources(v),
  ...flowcontrolResources(v),
  ...apiserverinternalResources(v),
  ...explainResources(v),
];

/** All groups the server knows, served or not, by preference; versions of a group likewise. */
export const groupOrder = ({ groups }: Vocabulary): readonly RankedGroup[] => [
  ranked('', 18000, { v1: 1 }),
  // Its own version is not ranked against others: it describes them.
  ranked(groups.apiregistration, 0, { v1: 0 }),
  ranked('apps', 17800, { v1: 15 }),
  ranked(groups.events, 17750, { v1: 15 }),
  ranked(groups.authentication, 17700, { v1: 15, v1alpha1: 1 }),
  ranked(groups.authorization, 17600, { v1: 15 }),
  ranked('autoscaling', 17500, { v2: 30, v1: 15, v2beta2: 1 }),
  ranked('batch', 17400, { v1: 15 }),
  ranked(groups.certificates, 17300, { v1: 15 }),
  ranked(groups.networking, 17200, { v1: 15, v1alpha1: 1 }),
  ranked('policy', 17100, { v1: 15 }),
  ranked(groups.rbac, 17000, { v1: 15 }),
  ranked(groups.storage, 16800, { v1: 15, v1beta1: 9 }),
  ranked(groups.admissionregistration, 16700, { v1: 15, v1beta1: 12, v1alpha1: 9 }),
  ranked(groups.apiextensions, 16700, { v1: 15 }),
  ranked(groups.scheduling, 16600, { v1: 15 }),
  ranked(groups.coordination, 16500, { v1: 15 }),
  ranked(groups.node, 16300, { v1: 15 }),
  ranked(groups.discovery, 16200, { v1: 15 }),
  ranked(groups.flowcontrol, 16100, { v1beta2: 15, v1beta1: 12 }),
  ranked(groups.internalApiserver, 16000, { v1alpha1: 9 }),
  ranked(groups.explain, 15900, { v1alpha1: 9 }),
];

const ranked = (name: string, priority: number, versions: Readonly<Record<string, number>>): RankedGroup => ({
  name,
  priority,
  versions: Object.keys(versions),
  versionPriorities: Object.values(versions),
});

/** The priorities of a version that the server has by itself, of its group among groups and its own; undefined: none has. */
export function builtInPriorities(v: Vocabulary): (group: string, version: string) => VersionPriorities | undefined {
  const known = new Map(
    groupOrder(v).flatMap(({ name, priority, versions, versionPriorities }) =>
      versions.map((version, at) => [`${name}/${version}`, { group: priority, version: versionPriorities[at] ?? 0 }]),
    ),
  );
  return (group, version) => known.get(`${group}/${version}`);
}

/** A catalogue of everything the server has by itself, served as `--runtime-config` says, or all of it without one. */
export function builtInCatalogue(
  v: Vocabulary,
  runtimeConfig?: readonly string[],
  release: Release = RELEASE,
  features: Features = DEFAULT_FEATURES,
): Catalogue {
  const types = builtInTypes(v, features);
  const catalogue = new Catalogue(groupOrder(v));
  catalogue.add(...kindsOf(types, runtimeConfig && servedWith(runtimeConfig, everyType(v), release)));
  return catalogue;
}
