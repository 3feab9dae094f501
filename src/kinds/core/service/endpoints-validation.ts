import { ip, nonSpecialIP } from '../../../meta/addresses.ts';
import { formatted, formattedIfSet, required } from '../../../meta/field-rules.ts';
import { dns1123Label, dns1123Subdomain, portNumber, qualifiedName } from '../../../meta/formats.ts';
import { Path } from '../../../schema/path.ts';
import type { Problems } from '../../../schema/problems.ts';
import type { EndpointAddress, EndpointPort, Endpoints } from './endpoints.ts';

const SUBSETS = Path.of('subsets');

export function validateEndpoints({ subsets }: Endpoints, problems: Problems): void {
  subsets?.forEach(({ addresses = [], notReadyAddresses = [], ports = [] }, at) => {
    const path = SUBSETS.index(at);
    if (addresses.length === 0 && notReadyAddresses.length === 0) {
      problems.required(path, 'must specify `addresses` or `notReadyAddresses`');
    }
    addresses.forEach((address, addressAt) => {
      validateAddress(address, path.child('addresses').index(addressAt), problems);
    });
    notReadyAddresses.forEach((address, addressAt) => {
      validateAddress(address, path.child('notReadyAddresses').index(addressAt), problems);
    });
    ports.forEach((port, portAt) => {
      validatePort(port, ports.length > 1, path.child('ports').index(portAt), problems);
    });
  });
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
