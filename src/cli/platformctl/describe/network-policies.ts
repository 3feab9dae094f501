import type { NetworkPolicy } from '../../../kinds/networking/network-policy.ts';
import { selector } from '../../../kinds/printing.ts';
import { writeAnnotations, writeLabels } from './metadata.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';
import { sortableMomentText } from './texts.ts';

type Spec = NetworkPolicy['spec'];
type IngressRule = NonNullable<Spec['ingress']>[number];
type EgressRule = NonNullable<Spec['egress']>[number];
type Peer = NonNullable<IngressRule['from']>[number];

/** How the two directions are worded. */
interface Direction {
  readonly name: string;
  readonly peer: string;
  readonly end: string;
}
const INGRESS: Direction = { name: 'ingress', peer: 'From', end: 'source' };
const EGRESS: Direction = { name: 'egress', peer: 'To', end: 'destination' };

export const networkPolicy = describer<NetworkPolicy>((sheet, { object, vocabulary }) => {
  const { metadata, spec } = object;
  sheet.field('Name', metadata.name ?? '');
  sheet.field('Namespace', metadata.namespace ?? '');
  sheet.field('Created on', sortableMomentText(metadata.creationTimestamp));
  writeLabels(sheet, metadata.labels);
  writeAnnotations(sheet, metadata.annotations, vocabulary);
  sheet.line(0, 'Spec:');
  const selected = selector(spec.podSelector);
  const everyPod = ' (Allowing the specific traffic to all pods in this namespace)';
  sheet.line(1, `PodSelector:     ${selected}${selected === '<none>' ? everyPod : ''}`);
  const types = spec.policyTypes ?? [];
  const ingress = (spec.ingress ?? []).map((rule: IngressRule) => ({ ports: rule.ports, peers: rule.from }));
  const egress = (spec.egress ?? []).map((rule: EgressRule) => ({ ports: rule.ports, peers: rule.to }));
  writeDirection(sheet, INGRESS, types.includes('Ingress') ? ingress : undefined);
  writeDirection(sheet, EGRESS, types.includes('Egress') ? egress : undefined);
  sheet.line(1, `Policy Types: ${types.join(', ') || '<none>'}`);
}, false);

interface Rule {
  readonly ports: IngressRule['ports'];
  readonly peers: readonly Peer[] | null | undefined;
}

function writeDirection(sheet: Sheet, direction: Direction, rules: readonly Rule[] | undefined): void {
  if (!rules) {
    sheet.line(1, `Not affecting ${direction.name} traffic`);
    return;
  }
  sheet.line(1, `Allowing ${direction.name} traffic:`);
  if (rules.length === 0) sheet.line(2, `<none> (Selected pods are isolated for ${direction.name} connectivity)`);
  for (const [at, rule] of rules.entries()) {
    if (at > 0) sheet.line(2, '----------');
    writeRule(sheet, direction, rule);
  }
}

function writeRule(sheet: Sheet, { peer, end }: Direction, { ports, peers }: Rule): void {
  if ((ports ?? []).length === 0) sheet.line(2, 'To Port: <any> (traffic allowed to all ports)');
  for (const { port, endPort, protocol } of ports ?? []) {
    const range = endPort === undefined ? 'To Port' : 'To Port Range';
    const last = endPort === undefined ? '' : `-${endPort}`;
    sheet.line(2, `${range}: ${port ?? '<nil>'}${last}/${protocol ?? 'TCP'}`);
  }
  if ((peers ?? []).length === 0) sheet.line(2, `${peer}: <any> (traffic not restricted by ${end})`);
  for (const one of peers ?? []) {
    sheet.line(2, `${peer}:`);
    writePeer(sheet, one);
  }
}

function writePeer(sheet: Sheet, { podSelector, namespaceSelector, ipBlock }: Peer): void {
  if (namespaceSelector) sheet.line(3, `NamespaceSelector: ${selector(namespaceSelector)}`);
  if (podSelector) sheet.line(3, `PodSelector: ${selector(podSelector)}`);
  if (podSelector || namespaceSelector || !ipBlock) return;
  sheet.line(3, 'IPBlock:');
  sheet.line(4, `CIDR: ${ipBlock.cidr}`);
  sheet.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
}
