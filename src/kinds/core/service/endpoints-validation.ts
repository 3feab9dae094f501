import { ip, nonSpecialIP } from '../../../meta/addresses.ts';
import { formatted, formattedIfSet, required } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, portNumber, qualifiedName } from '../../../meta/formats.ts';
import { MANY_ENTRIES } from '../../../runtime/later.ts';
import type { Steps } from '../../../runtime/pacing.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from './endpoints.ts';

const SUBSETS = Path.of('subsets');

/** There may be very many addresses. */
export function* validateEndpoints({ subsets }: Endpoints, problems: Problems): Steps<void> {
  for (const [at, { addresses = [], notReadyAddresses = [], ports = [] }] of (subsets ?? []).entries()) {
    const path = SUBSETS.index(at);
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      problems.required(path, 'must specify `addresses` or `notReadyAddresses`');
    }
    yield* validateAddresses(addresses, path.child('addresses'), problems);
    yield* validateAddresses(notReadyAddresses, path.child('notReadyAddresses'), problems);
    ports.forEach((port, portAt) => {
      validatePort(port, ports.length > 1, path.child('ports').index(portAt), problems);
    });
  }
}

function* validateAddresses(addresses: readonly EndpointAddress[], path: Path, problems: Problems): Steps<void> {
  for (const [at, address] of addresses.entries()) {
    if (at % MANY_ENTRIES === 0) yield;
    validateAddress(address, path.index(at), problems);
  }
}

function validateAddress(address: EndpointAddress, path: Path, problems: Problems): void {
  formatted(problems, path, 'ip', address.ip, (text) => ip(text) ?? nonSpecialIP(text));
  formattedIfSet(problems, path, 'hostname', address.hostname, dns1123Label);
  if (address.nodeName !== undefined) formatted(problems, path, 'nodeName', address.nodeName, dns1123Subdomain);
}

function validatePort(
  { name, port, appProtocol }: EndpointPort,
  needsName: boolean,
  path: Path,
  problems: Problems,
): void {
  if (needsName) required(problems, path, 'name', name);
  formattedIfSet(problems, path, 'name', name, dns1123Label);
  formatted(problems, path, 'port', port, portNumber);
  if (appProtocol !== undefined) formatted(problems, path, 'appProtocol', appProtocol, qualifiedName);
}
