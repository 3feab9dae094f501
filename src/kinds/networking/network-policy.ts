import { int32, intOrString, string } from '../../schema/scalars.ts';
import { f, type Infer, kind, list, struct } from '../../schema/schema.ts';
import { Condition } from '../meta/condition.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { ObjectMeta } from '../meta/object-meta.ts';

export const IPBlock = struct('networking.v1.IPBlock', {
  cidr: f(1, string().required()),
  except: f(2, list(string())),
});
export type IPBlock = Infer<typeof IPBlock>;

export const NetworkPolicyPeer = struct('networking.v1.NetworkPolicyPeer', {
  podSelector: f(1, LabelSelector.optional()),
  namespaceSelector: f(2, LabelSelector.optional()),
  ipBlock: f(3, IPBlock.optional()),
});
export type NetworkPolicyPeer = Infer<typeof NetworkPolicyPeer>;

export const NetworkPolicyPort = struct('networking.v1.NetworkPolicyPort', {
  protocol: f(1, string().optional().default('TCP')),
  port: f(2, intOrString().optional()),
  endPort: f(3, int32().optional()),
});
export type NetworkPolicyPort = Infer<typeof NetworkPolicyPort>;

export const NetworkPolicyIngressRule = struct('networking.v1.NetworkPolicyIngressRule', {
  ports: f(1, list(NetworkPolicyPort)),
  from: f(2, list(NetworkPolicyPeer)),
});
export type NetworkPolicyIngressRule = Infer<typeof NetworkPolicyIngressRule>;

export const NetworkPolicyEgressRule = struct('networking.v1.NetworkPolicyEgressRule', {
  ports: f(1, list(NetworkPolicyPort)),
  to: f(2, list(NetworkPolicyPeer)),
});
export type NetworkPolicyEgressRule = Infer<typeof NetworkPolicyEgressRule>;

export const NetworkPolicySpec = struct(
  'networking.v1.NetworkPolicySpec',
  {
    podSelector: f(1, LabelSelector.required(), 'The pods it is about.'),
    ingress: f(2, list(NetworkPolicyIngressRule), 'Who may talk to them.'),
    egress: f(3, list(NetworkPolicyEgressRule), 'Whom they may talk to.'),
    policyTypes: f(4, list(string()), 'Which directions it restricts.'),
  },
  {
    defaults(spec) {
      spec.policyTypes ??= spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    },
  },
);
export type NetworkPolicySpec = Infer<typeof NetworkPolicySpec>;

export const NetworkPolicyStatus = struct('networking.v1.NetworkPolicyStatus', {
  conditions: f(1, list(Condition).mapBy('type').mergeBy('type')),
});
export type NetworkPolicyStatus = Infer<typeof NetworkPolicyStatus>;

export const NetworkPolicy = kind(
  'networking.v1.NetworkPolicy',
  {
    metadata: f(1, ObjectMeta),
    spec: f(2, NetworkPolicySpec),
    status: f(3, NetworkPolicyStatus),
  },
  { description: 'Who may talk to the selected pods, and whom they may talk to.' },
);
export type NetworkPolicy = Infer<typeof NetworkPolicy>;
