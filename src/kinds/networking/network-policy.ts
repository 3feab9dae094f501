import { Condition } from '../../meta/condition.ts';
import { LabelSelector } from '../../meta/label-selector.ts';
import { ObjectMeta } from '../../meta/object-meta.ts';
import { int32, intOrString, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';

export const IPBlock = struct(
  'networking.v1.IPBlock',
  {
    cidr: f(1, string().required(), 'The range, such as 192.168.1.0/24 or 2001:db8::/64.'),
    except: f(2, list(string()), 'Ranges within cidr that do not belong to it.'),
  },
  { description: 'A range of addresses, and exceptions from it.' },
);
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct(
  'networking.v1.NetworkPolicyPeer',
  {
    podSelector: f(
      1,
      LabelSelector.optional(),
      'Pods by labels, in the namespaces that namespaceSelector selects, or else in that of the policy. Empty: all pods.',
    ),
    namespaceSelector: f(
      2,
      LabelSelector.optional(),
      'Namespaces by labels; all their pods, unless podSelector is set. Empty: all namespaces.',
    ),
    ipBlock: f(3, IPBlock.optional(), 'A range of addresses. Excludes both selectors.'),
  },
  { description: 'The other side of a connection: pods by labels, or a range of addresses.' },
);
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

export const NetworkPolicyPort = struct(
  'networking.v1.NetworkPolicyPort',
  {
    protocol: f(1, string().optional().default('TCP'), 'TCP (the default), UDP or SCTP.'),
    port: f(
      2,
      intOrString().optional(),
      'Number of the port, or name of a container port. Unset: all ports of the protocol.',
    ),
    endPort: f(
      3,
      int32().optional(),
      'Last port of a range that begins with port, which must then be a number and not larger.',
    ),
  },
  { description: 'Ports that a rule allows.' },
);
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const NetworkPolicyIngressRule = struct(
  'networking.v1.NetworkPolicyIngressRule',
  {
    ports: f(1, list(NetworkPolicyPort), 'Ports of the selected pods that may be reached. Empty: all.'),
    from: f(2, list(NetworkPolicyPeer), 'Who may connect: any of these peers. Empty: everyone.'),
  },
  { description: 'Connections to the selected pods that are allowed: those that match both ports and from.' },
);
export type NetworkPolicyIngressRule = Infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicyEgressRule = struct(
  'networking.v1.NetworkPolicyEgressRule',
  {
    ports: f(1, list(NetworkPolicyPort), 'Ports that may be connected to. Empty: all.'),
    to: f(2, list(NetworkPolicyPeer), 'Whom they may connect to: any of these peers. Empty: everyone.'),
  },
  { description: 'Connections from the selected pods that are allowed: those that match both ports and to.' },
);
export type NetworkPolicyEgressRule = Infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicySpec = struct(
  'networking.v1.NetworkPolicySpec',
  {
    podSelector: f(
      1,
      LabelSelector.required(),
      'Pods in the same namespace that the policy restricts. Empty: all pods. Policies on the same pods add up.',
    ),
    ingress: f(
      2,
      list(NetworkPolicyIngressRule),
      'Incoming connections that are allowed. Empty while Ingress is among policyTypes: none.',
    ),
    egress: f(
      3,
      list(NetworkPolicyEgressRule),
      'Outgoing connections that are allowed. Empty while Egress is among policyTypes: none.',
    ),
    policyTypes: f(
      4,
      list(string()),
      'Directions that the policy restricts: Ingress, Egress. Unset: Ingress, and Egress if there are egress rules.',
    ),
  },
  {
    description: 'Desired state of a NetworkPolicy: the pods it restricts, and the connections it allows them.',
    defaults(spec) {
      spec.policyTypes ??= spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    },
  },
);
export type NetworkPolicySpec = Infer<typeof NetworkPolicySpec>;

export const NetworkPolicyStatus = struct(
  'networking.v1.NetworkPolicyStatus',
  {
    conditions: f(
      1,
      list(Condition).mapBy('type').mergeBy('type'),
      'Observed aspects of the state, at most one of each type.',
    ),
  },
  { description: 'What was last observed of a NetworkPolicy.' },
);
export type NetworkPolicyStatus = Infer<typeof NetworkPolicyStatus>;

export const NetworkPolicy = kind(
  'networking.v1.NetworkPolicy',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, NetworkPolicySpec),
    status: f(3, NetworkPolicyStatus),
  },
  { description: 'Restricts which connections pods may have; pods that no policy selects may have all.' },
);
export type NetworkPolicy = Infer<typeof NetworkPolicy>;
