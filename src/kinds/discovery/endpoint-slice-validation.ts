import { ipv4, ipv6, nonSpecialIP } from '../../meta/addresses.ts';
import { formatted, formattedIfSet, oneOf, unchanged } from '../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, type Format, fqdn, labelValue, qualifiedName } from '../../meta/formats.ts';
import { validateLabels } from '../../meta/labels-validation.ts';
import { MANY_ENTRIES } from '../../runtime/later.ts';
import type { Steps } from '../../runtime/pacing.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Endpoint, EndpointPort, EndpointSlice, ForZone } from './endpoint-slice.ts';

const ROOT = Path.of('');
const ENDPOINTS = Path.of('endpoints');
const PORTS = Path.of('ports');
const MOST_ENDPOINTS = 1000;
const MOST_PORTS = 20_000;
const MOST_ADDRESSES = 100;
const MOST_TOPOLOGY_LABELS = 16;
const MOST_ZONES = 8;

const ADDRESS_FORMATS: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['IPv4', (text) => ipv4(text) ?? nonSpecialIP(text)],
  ['IPv6', (text) => ipv6(text) ?? nonSpecialIP(text)],
  ['FQDN', fqdn],
]);

/** There may be very many addresses. */
export function* validateEndpointSlice(
  { addressType, endpoints, ports }: EndpointSlice,
  problems: Problems,
): Steps<void> {
  if (!addressType) problems.required('addressType');
  if (isTooMany(endpoints ?? [], MOST_ENDPOINTS, ENDPOINTS, problems)) return;
  const format = ADDRESS_FORMATS.get(addressType);
  for (const [at, endpoint] of (endpoints ?? []).entries()) {
    yield* validateEndpoint(endpoint, format, ENDPOINTS.index(at), problems);
  }
  if (!isTooMany(ports ?? [], MOST_PORTS, PORTS, problems)) validatePorts(ports ?? [], problems);
}

function isTooMany(list: readonly unknown[], most: number, path: Path, problems: Problems): boolean {
  if (list.length <= most) return false;
  problems.tooMany(path, list.length, most);
  return true;
}

function* validateEndpoint(
  endpoint: Endpoint,
  format: Format | undefined,
  path: Path,
  problems: Problems,
): Steps<void> {
  const { nodeName, hostname, deprecatedTopology = {}, hints } = endpoint;
  const addresses = endpoint.addresses ?? [];
  const addressPath = path.child('addresses');
  if (addresses.length === 0) problems.required(addressPath, 'must contain at least 1 address');
  isTooMany(addresses, MOST_ADDRESSES, addressPath, problems);
  for (const [at, address] of addresses.entries()) {
    if (at % MANY_ENTRIES === 0) yield;
    const problem = format?.(address);
    if (problem !== undefined) problems.invalid(addressPath.index(at), address, problem);
  }
  if (nodeName !== undefined) formatted(problems, path, 'nodeName', nodeName, dns1123Subdomain);
  if (hostname !== undefined) formatted(problems, path, 'hostname', hostname, dns1123Label);
  isTooMany(Object.keys(deprecatedTopology), MOST_TOPOLOGY_LABELS, path.child('deprecatedTopology'), problems);
  validateLabels(deprecatedTopology, path.child('deprecatedTopology'), problems);
  if (hints?.forZones) validateZones(hints.forZones, path.child('hints').child('forZones'), problems);
}

function validateZones(zones: readonly ForZone[], path: Path, problems: Problems): void {
  if (isTooMany(zones, MOST_ZONES, path, problems)) return;
  const seen = new Set<string>();
  zones.forEach(({ name }, at) => {
    if (seen.has(name)) problems.duplicate(path.index(at).child('name'), name);
    seen.add(name);
    formatted(problems, path.index(at), 'name', name, labelValue);
  });
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

/** At most one port goes without a name. */
function validatePorts(ports: readonly EndpointPort[], problems: Problems): void {
  const seen = new Set<string>();
  ports.forEach(({ name = '', protocol, appProtocol }, at) => {
    const path = PORTS.index(at);
    formattedIfSet(problems, path, 'name', name, dns1123Label);
    if (seen.has(name)) problems.duplicate(path.child('name'), name);
    seen.add(name);
    oneOf(problems, path, 'protocol', protocol, PROTOCOLS);
    if (appProtocol !== undefined) formatted(problems, path, 'appProtocol', appProtocol, qualifiedName);
  });
}

export function validateEndpointSliceUpdate(slice: EndpointSlice, old: EndpointSlice, problems: Problems): void {
  unchanged(problems, ROOT, 'addressType', slice.addressType, old.addressType);
}
