import type { Endpoints } from '../../../kinds/core/service/endpoints.ts';
import type { Service } from '../../../kinds/core/service/service.ts';
import type { EndpointSlice } from '../../../kinds/discovery/endpoint-slice.ts';
import { hostPort, labels, more } from '../../../kinds/printing.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { writeIdentity } from './metadata.ts';
import type { Plane } from './plane.ts';
import type { Sheet } from './sheet.ts';
import { describer } from './subject.ts';

const UNSET = '<unset>';
const NONE = '<none>';
/** So many addresses are shown, and how many more there are. */
const SHOWN = 3;

export const service = describer<Service>(async (sheet, { object, plane, vocabulary }) => {
  const { metadata, spec } = object;
  const { name = '', namespace = '' } = metadata;
  const slices = await slicesOf(plane, vocabulary, namespace, name).catch((): EndpointSlice[] => []);
  writeIdentity(sheet, metadata, vocabulary);
  sheet.field('Selector', labels(spec.selector));
  sheet.field('Type', spec.type ?? '');
  if (spec.ipFamilyPolicy !== undefined) sheet.field('IP Family Policy', spec.ipFamilyPolicy);
  sheet.field('IP Families', (spec.ipFamilies ?? []).join(',') || NONE);
  sheet.field('IP', spec.clusterIP ?? '');
  sheet.field('IPs', (spec.clusterIPs ?? []).join(',') || NONE);
  writeOutside(sheet, object);
  for (const port of spec.ports ?? []) {
    const shown = port.name || UNSET;
    const protocol = port.protocol ?? '';
    sheet.line(0, 'Port:', shown, `${port.port}/${protocol}`);
    sheet.field('TargetPort', `${port.targetPort ?? 0}/${protocol}`);
    if (port.nodePort) sheet.line(0, 'NodePort:', shown, `${port.nodePort}/${protocol}`);
    sheet.field('Endpoints', endpointsText(slices, port.name ?? ''));
  }
  sheet.field('Session Affinity', spec.sessionAffinity ?? '');
  if (spec.externalTrafficPolicy) sheet.field('External Traffic Policy', spec.externalTrafficPolicy);
  if (spec.internalTrafficPolicy !== undefined) sheet.field('Internal Traffic Policy', spec.internalTrafficPolicy);
  if (spec.healthCheckNodePort) sheet.field('HealthCheck NodePort', spec.healthCheckNodePort);
  const ranges = spec.loadBalancerSourceRanges ?? [];
  if (ranges.length > 0) sheet.field('LoadBalancer Source Ranges', ranges.join(','));
});

/** How a service is reached from outside. */
function writeOutside(sheet: Sheet, { spec, status }: Service): void {
  const external = spec.externalIPs ?? [];
  if (external.length > 0) sheet.field('External IPs', external.join(','));
  if (spec.loadBalancerIP) sheet.field('Desired LoadBalancer IP', spec.loadBalancerIP);
  if (spec.externalName) sheet.field('External Name', spec.externalName);
  const balancers = status.loadBalancer?.ingress ?? [];
  if (balancers.length === 0) return;
  sheet.field('LoadBalancer Ingress', balancers.map(({ ip, hostname }) => ip || hostname || '').join(', '));
}

export const slicesOf = (
  plane: Plane,
  { groups, labels: names }: Vocabulary,
  namespace: string,
  service_: string,
): Promise<EndpointSlice[]> =>
  plane.list<EndpointSlice>(groups.discovery, 'endpointslices', namespace, {
    labelSelector: `${names.serviceName}=${service_}`,
  });

/** The addresses behind a port of a service, the first few of them. */
export function endpointsText(slices: readonly EndpointSlice[], portName: string): string {
  if (slices.length === 0) return NONE;
  const found = slices.flatMap(({ ports, endpoints }) => {
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready ?? true);
    const addresses = ready.map(({ addresses: all }) => all?.[0] ?? '');
    if ((ports ?? []).length === 0) return addresses;
    const open = (ports ?? []).filter(({ name }) => (name ?? '') === portName);
    return open.flatMap(({ port }) => addresses.map((address) => hostPort(address, port ?? 0)));
  });
  return `${found.slice(0, SHOWN).join(',')}${more(found.length - SHOWN)}`;
}

export const endpoints = describer<Endpoints>((sheet, { object, vocabulary }) => {
  writeIdentity(sheet, object.metadata, vocabulary);
  sheet.line(0, 'Subsets:');
  for (const { addresses, notReadyAddresses, ports } of object.subsets ?? []) {
    const listed = (some: typeof addresses): string => (some ?? []).map(({ ip }) => ip).join(',') || NONE;
    sheet.field('Addresses', listed(addresses), 1);
    sheet.field('NotReadyAddresses', listed(notReadyAddresses), 1);
    if ((ports ?? []).length > 0) {
      sheet.line(1, 'Ports:');
      const rows = (ports ?? []).map(({ name, port, protocol }) => [name || UNSET, String(port), protocol ?? '']);
      sheet.table(2, ['Name', 'Port', 'Protocol'], rows);
    }
    sheet.line(0, '');
  }
});

export const endpointSlice = describer<EndpointSlice>((sheet, { object, vocabulary }) => {
  writeIdentity(sheet, object.metadata, vocabulary);
  sheet.field('AddressType', object.addressType);
  const ports = object.ports ?? [];
  sheet.line(0, ports.length === 0 ? `Ports: ${UNSET}` : 'Ports:');
  if (ports.length > 0) {
    const rows = ports.map(({ name, port, protocol }) => [name || UNSET, String(port ?? UNSET), protocol ?? '']);
    sheet.table(1, ['Name', 'Port', 'Protocol'], rows);
  }
  const listed = object.endpoints ?? [];
  sheet.line(0, listed.length === 0 ? `Endpoints: ${NONE}` : 'Endpoints:');
  for (const { addresses, conditions, hostname, targetRef, nodeName, zone } of listed) {
    sheet.field('- Addresses', (addresses ?? []).join(', ') || NONE, 1);
    sheet.line(2, 'Conditions:');
    sheet.field('Ready', conditions?.ready ?? UNSET, 3);
    sheet.field('Hostname', hostname ?? UNSET, 2);
    if (targetRef) sheet.field('TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`, 2);
    sheet.field('NodeName', nodeName ?? UNSET, 2);
    sheet.field('Zone', zone ?? UNSET, 2);
  }
});
