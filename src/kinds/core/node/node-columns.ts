import type { Column } from '../../../registry/resource-type.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { ageColumn, nameColumn, text, wide } from '../../columns.ts';
import { NONE, sortedSet, UNKNOWN } from '../../printing.ts';
import type { Node } from './node.ts';

export const nodeColumns = (v: Vocabulary): readonly Column<Node>[] => [
  nameColumn,
  text('Status', 'Whether the node can run pods, and whether it takes new ones.', readiness),
  text('Roles', 'Roles given by labels.', (node) => roles(node, v)),
  ageColumn,
  text('Version', 'Release of the software on the node.', ({ status }) => status.nodeInfo.kubeletVersion),
  wide(text('Internal-IP', 'Address inside the cluster.', (node) => addressOf(node, 'InternalIP'))),
  wide(text('External-IP', 'Address from outside.', (node) => addressOf(node, 'ExternalIP'))),
  wide(text('OS-Image', 'Operating system.', ({ status }) => status.nodeInfo.osImage || UNKNOWN)),
  wide(text('Kernel-Version', 'Kernel release.', ({ status }) => status.nodeInfo.kernelVersion || UNKNOWN)),
  wide(
    text(
      'Container-Runtime',
      'Software that runs containers.',
      ({ status }) => status.nodeInfo.containerRuntimeVersion || UNKNOWN,
    ),
  ),
];

function readiness({ spec, status }: Node): string {
  const ready = status.conditions?.find(({ type }) => type === 'Ready');
  const word = ready ? (ready.status === 'True' ? 'Ready' : 'NotReady') : 'Unknown';
  return spec.unschedulable ? `${word},SchedulingDisabled` : word;
}

function roles({ metadata }: Node, v: Vocabulary): string {
  const { nodeRolePrefix, role } = v.labels;
  const found = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(nodeRolePrefix)) return [key.slice(nodeRolePrefix.length)];
    return key === role ? [value] : [];
  });
  return sortedSet(found.filter(Boolean)) || NONE;
}

const addressOf = ({ status }: Node, wanted: string): string =>
  status.addresses?.find(({ type }) => type === wanted)?.address ?? NONE;
