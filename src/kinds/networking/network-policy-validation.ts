import { isStrictSubset, parseAddressRange } from '../../meta/addresses.ts';
import { formatted, oneOf } from '../../meta/field-rules.ts';
import { portNumber, portReference } from '../../meta/formats.ts';
import { validateLabelSelector } from '../../meta/label-selector-validation.ts';
import { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from './network-policy.ts';

const SPEC = Path.of('spec');
const TYPES = ['Egress', 'Ingress'];

export function validateNetworkPolicy({ spec }: NetworkPolicy, problems: Problems): void {
  const { podSelector, ingress = [], egress = [], policyTypes = [] } = spec;
  validateLabelSelector(podSelector, SPEC.child('podSelector'), problems);
  ingress.forEach(({ ports = [], from = [] }, at) => {
    const path = SPEC.child('ingress').index(at);
    validatePorts(ports, path.child('ports'), problems);
    validatePeers(from, path.child('from'), problems);
  });
  egress.forEach(({ ports = [], to = [] }, at) => {
    const path = SPEC.child('egress').index(at);
    validatePorts(ports, path.child('ports'), problems);
    validatePeers(to, path.child('to'), problems);
  });
  const types = SPEC.child('policyTypes');
  if (policyTypes.length > TYPES.length) {
    problems.invalid(types, policyTypes, 'may not specify more than two policyTypes');
    return;
  }
  policyTypes.forEach((type, at) => {
    if (!TYPES.includes(type)) problems.notSupported(types.index(at), type, TYPES);
  });
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly NetworkPolicyPort[], path: Path, problems: Problems): void {
  ports.forEach(({ protocol, port, endPort }, at) => {
    const place = path.index(at);
    oneOf(problems, place, 'protocol', protocol, PROTOCOLS);
    if (port !== undefined) formatted(problems, place, 'port', port, portReference);
    if (endPort !== undefined) validateEndPort(port, endPort, place, problems);
  });
}

/** A range of ports starts at a number. */
function validateEndPort(port: number | string | undefined, endPort: number, path: Path, problems: Problems): void {
  const end = path.child('endPort');
  if (port === undefined) problems.invalid(end, endPort, 'may not be specified when `port` is not specified');
  else if (typeof port === 'string') {
    problems.invalid(end, endPort, 'may not be specified when `port` is non-numeric');
  } else {
    if (endPort < port) problems.invalid(end, endPort, 'must be greater than or equal to `port`');
    formatted(problems, path, 'endPort', endPort, portNumber);
  }
}

function validatePeers(peers: readonly NetworkPolicyPeer[], path: Path, problems: Problems): void {
  peers.forEach(({ podSelector, namespaceSelector, ipBlock }, at) => {
    const place = path.index(at);
    validateLabelSelector(podSelector, place.child('podSelector'), problems);
    validateLabelSelector(namespaceSelector, place.child('namespaceSelector'), problems);
    if (ipBlock) validateIpBlock(ipBlock, place.child('ipBlock'), problems);
    if (ipBlock && (podSelector || namespaceSelector)) {
      problems.forbidden(place, 'may not specify both ipBlock and another peer');
    }
    if (!ipBlock && !podSelector && !namespaceSelector) problems.required(place, 'must specify a peer');
  });
}

const NO_RANGE = 'not a valid CIDR';

function validateIpBlock({ cidr, except = [] }: IPBlock, path: Path, problems: Problems): void {
  if (!cidr) {
    problems.required(path.child('cidr'));
    return;
  }
  const whole = parseAddressRange(cidr);
  if (!whole) {
    problems.invalid(path.child('cidr'), cidr, NO_RANGE);
    return;
  }
  except.forEach((text, at) => {
    const part = parseAddressRange(text);
    const place = path.child('except').index(at);
    if (!part) problems.invalid(place, text, NO_RANGE);
    else if (!isStrictSubset(part, whole)) problems.invalid(place, text, 'must be a strict subset of `cidr`');
  });
}
