import { isRefusal } from '../../../client/plane-client.ts';
import type { Lease } from '../../../kinds/coordination/lease.ts';
import type { Node } from '../../../kinds/core/node/node.ts';
import type { Pod } from '../../../kinds/core/pod/pod.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { writeAnnotations, writeLabels } from './metadata.ts';
import { writeNodeResources } from './node-resources.ts';
import type { Sheet } from './sheet.ts';
import { describer, type Subject } from './subject.ts';
import { byText, type Moment, momentText, sortedEntries } from './texts.ts';

const UNSET = '<unset>';

export const node = describer<Node>(async (sheet, subject) => {
  const { object, vocabulary, now } = subject;
  const { metadata, spec, status } = object;
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Roles', nodeRoles(metadata.labels ?? {}, vocabulary).join(',') || '<none>');
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, vocabulary);
  sheet.field('CreationTimestamp', momentText(metadata.creationTimestamp));
  sheet.values('Taints', taintTexts(object));
  sheet.field('Unschedulable', spec.unschedulable ?? false);
  await writeLease(sheet, subject);
  writeConditions(sheet, object);
  sheet.line(0, 'Addresses:');
  for (const { type, address } of status.addresses ?? []) sheet.field(type, address, 1);
  for (const [title, amounts] of [
    ['Capacity', status.capacity],
    ['Allocatable', status.allocatable],
  ] as const) {
    const entries = sortedEntries(amounts);
    if (entries.length > 0) sheet.line(0, `${title}:`);
    for (const [name, amount] of entries) sheet.field(name, amount, 1);
  }
  writeSystem(sheet, object, vocabulary);
  const pods = await podsOn(subject);
  if (pods) writeNodeResources(sheet, object, pods, now);
  else sheet.field('Pods', 'not authorized');
});

/** The roles that labels give a node, in order. */
function nodeRoles(labels: Readonly<Record<string, string>>, vocabulary: Vocabulary): string[] {
  const { nodeRolePrefix, role } = vocabulary.labels;
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(nodeRolePrefix)) return key.slice(nodeRolePrefix.length);
    return key === role ? value : [];
  });
  return [...new Set(roles)].filter((name) => name !== '').sort();
}

function taintTexts({ spec }: Node): string[] {
  return [...(spec.taints ?? [])]
    .sort((a, b) => byText(`${a.effect},${a.key}`, `${b.effect},${b.key}`))
    .map(({ key, value, effect }) => {
      if (!effect) return value ? `${key}=${value}:` : key;
      return value ? `${key}=${value}:${effect}` : `${key}:${effect}`;
    });
}

async function writeLease(sheet: Sheet, { object, plane, vocabulary }: Subject<Node>): Promise<void> {
  const { coordination } = vocabulary.groups;
  const { name = '' } = object.metadata;
  try {
    const { spec } = await plane.get<Lease>(coordination, 'leases', vocabulary.namespaces.nodeLease, name);
    const shown = (moment: Moment): string => (moment ? momentText(moment) : UNSET);
    sheet.line(0, 'Lease:');
    sheet.field('HolderIdentity', spec.holderIdentity ?? UNSET, 1);
    sheet.field('AcquireTime', shown(spec.acquireTime), 1);
    sheet.field('RenewTime', shown(spec.renewTime), 1);
  } catch (error) {
    sheet.field('Lease', `Failed to get lease: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function writeConditions(sheet: Sheet, { status }: Node): void {
  const conditions = status.conditions ?? [];
  if (conditions.length === 0) return;
  sheet.line(0, 'Conditions:');
  const rows = conditions.map((one) => [
    `${one.type} `,
    `${one.status} `,
    `${momentText(one.lastHeartbeatTime)} `,
    `${momentText(one.lastTransitionTime)} `,
    `${one.reason ?? ''} `,
    one.message ?? '',
  ]);
  sheet.table(1, ['Type', 'Status', 'LastHeartbeatTime', 'LastTransitionTime', 'Reason', 'Message'], rows);
}

function writeSystem(sheet: Sheet, { spec, status }: Node, { titles }: Vocabulary): void {
  const { nodeInfo } = status;
  sheet.line(0, 'System Info:');
  sheet.field('Machine ID', nodeInfo.machineID, 1);
  sheet.field('System UUID', nodeInfo.systemUUID, 1);
  sheet.field('Boot ID', nodeInfo.bootID, 1);
  sheet.field('Kernel Version', nodeInfo.kernelVersion, 1);
  sheet.field('OS Image', nodeInfo.osImage, 1);
  sheet.field('Operating System', nodeInfo.operatingSystem, 1);
  sheet.field('Architecture', nodeInfo.architecture, 1);
  sheet.field('Container Runtime Version', nodeInfo.containerRuntimeVersion, 1);
  sheet.field('Kubelet Version', nodeInfo.kubeletVersion, 1);
  sheet.field(titles.proxyVersion, nodeInfo.kubeProxyVersion, 1);
  if (spec.podCIDR) sheet.field('PodCIDR', spec.podCIDR);
  if ((spec.podCIDRs ?? []).length > 0) sheet.field('PodCIDRs', (spec.podCIDRs ?? []).join(','));
  if (spec.providerID) sheet.field('ProviderID', spec.providerID);
}

/** The pods of a node that are not over; undefined for whoever may not see them. */
async function podsOn({ object, plane }: Subject<Node>): Promise<readonly Pod[] | undefined> {
  const running = ['status.phase!=Succeeded', 'status.phase!=Failed'];
  const fieldSelector = [`spec.nodeName=${object.metadata.name}`, ...running].join(',');
  return plane.list<Pod>('', 'pods', '', { fieldSelector }).catch((error: unknown) => {
    if (!isRefusal(error, 'Forbidden')) throw error;
    return undefined;
  });
}
