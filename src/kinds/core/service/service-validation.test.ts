import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../../test/problems-of.ts';
import { Service } from './service.ts';
import { validateServiceUpdate } from './service-update-validation.ts';
import { validateService, validateServiceStatusUpdate } from './service-validation.ts';

const rules = { validate: validateService };
const port = { name: 'a', port: 80, protocol: 'TCP', targetPort: 'http' };

const service = (spec: unknown): unknown => ({
  metadata: { name: 's' },
  spec: changed({ type: 'ClusterIP', sessionAffinity: 'None', ports: [port], internalTrafficPolicy: 'Cluster' }, spec),
});

const refuses = (spec: unknown, ...expected: string[]): void => {
  expect(problemsOf(Service, rules, service(spec))).toEqual(expected.sort());
};

describe('a service', () => {
  it.each([
    {},
    { ports: [port, { ...port, name: 'b', protocol: 'UDP', appProtocol: 'x.y/z' }], selector: { a: 'b' } },
    { clusterIP: 'None', clusterIPs: ['None'], ports: null },
    {
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1', '::1'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'PreferDualStack',
    },
    { type: 'ExternalName', externalName: 'a.b.', ports: null, internalTrafficPolicy: null },
    { type: 'NodePort', ports: [{ ...port, nodePort: 30000 }], externalTrafficPolicy: 'Local' },
    {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30001,
      loadBalancerClass: 'x.y/z',
      allocateLoadBalancerNodePorts: true,
      loadBalancerSourceRanges: ['10.0.0.0/8'],
    },
    {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 60 } },
      externalIPs: ['1.2.3.4'],
    },
  ])('may be %j', (spec) => {
    refuses(spec);
  });

  it.each([
    [{ ports: null }, 'Required spec.ports'],
    [{ ports: [port, { ...port, port: 81, name: null }] }, 'Required spec.ports[1].name'],
    [{ ports: [{ ...port, name: 'A' }] }, 'Invalid spec.ports[0].name'],
    [{ ports: [port, { ...port, port: 81 }] }, 'Duplicate spec.ports[1].name'],
    [{ ports: [port, { ...port, name: 'b' }] }, 'Duplicate spec.ports[1]'],
    [{ ports: [{ ...port, port: 0 }] }, 'Invalid spec.ports[0].port'],
    [{ ports: [{ ...port, protocol: 'X' }] }, 'NotSupported spec.ports[0].protocol'],
    [{ ports: [{ ...port, targetPort: 'A' }] }, 'Invalid spec.ports[0].targetPort'],
    [{ ports: [{ ...port, appProtocol: 'a b' }] }, 'Invalid spec.ports[0].appProtocol'],
    [{ ports: [{ ...port, nodePort: 30000 }] }, 'Forbidden spec.ports[0].nodePort'],
    [
      {
        type: 'NodePort',
        externalTrafficPolicy: 'Cluster',
        ports: [
          { ...port, nodePort: 30000 },
          { ...port, name: 'b', port: 81, nodePort: 30000 },
        ],
      },
      'Duplicate spec.ports[1].nodePort',
    ],
    [
      {
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
        ports: [{ ...port, port: 10250 }],
      },
      'Invalid spec.ports[0]',
    ],
    [{ type: 'Odd' }, 'NotSupported spec.type'],
    [{ selector: { a: 'b c' } }, 'Invalid spec.selector'],
    [{ sessionAffinity: 'Odd' }, 'NotSupported spec.sessionAffinity'],
    [
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
      'Invalid spec.sessionAffinityConfig.clientIP.timeoutSeconds',
    ],
    [{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.2'] }, 'Invalid spec.clusterIPs'],
    [{ clusterIPs: ['10.0.0.1'] }, 'Invalid spec.clusterIPs'],
    [{ clusterIP: '10.0.0.1' }, 'Required spec.clusterIPs'],
    [{ clusterIP: 'x', clusterIPs: ['x'] }, 'Invalid spec.clusterIPs[0]'],
    [{ clusterIP: 'None', clusterIPs: ['None', '10.0.0.1'] }, 'Invalid spec.clusterIPs'],
    [{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', '10.0.0.2'] }, 'Invalid spec.clusterIPs'],
    [{ clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv6'] }, 'Invalid spec.clusterIPs[0]'],
    [
      { type: 'NodePort', externalTrafficPolicy: 'Cluster', clusterIP: 'None', clusterIPs: ['None'] },
      'Invalid spec.clusterIPs[0]',
    ],
    [{ ipFamilies: ['IPv5'] }, 'NotSupported spec.ipFamilies[0]'],
    [{ ipFamilies: ['IPv4', 'IPv4'] }, 'Duplicate spec.ipFamilies[1]'],
    [{ ipFamilyPolicy: 'Odd' }, 'NotSupported spec.ipFamilyPolicy'],
    [{ externalIPs: ['x'] }, 'Invalid spec.externalIPs[0]'],
    [{ externalIPs: ['127.0.0.1'] }, 'Invalid spec.externalIPs[0]'],
    [{ type: 'ExternalName', internalTrafficPolicy: null }, 'Required spec.externalName'],
    [{ type: 'ExternalName', externalName: 'A' }, 'Invalid spec.externalName'],
    [{ type: 'ExternalName', externalName: 'a', clusterIPs: ['10.0.0.1'] }, 'Forbidden spec.clusterIPs'],
    [{ type: 'ExternalName', externalName: 'a', ipFamilies: ['IPv4'] }, 'Forbidden spec.ipFamilies'],
    [{ type: 'ExternalName', externalName: 'a', ipFamilyPolicy: 'SingleStack' }, 'Forbidden spec.ipFamilyPolicy'],
    [{ loadBalancerSourceRanges: ['10.0.0.0/8'] }, 'Forbidden spec.LoadBalancerSourceRanges'],
    [{ loadBalancerClass: 'x.y/z' }, 'Forbidden spec.loadBalancerClass'],
    [{ allocateLoadBalancerNodePorts: false }, 'Forbidden spec.allocateLoadBalancerNodePorts'],
    [{ externalTrafficPolicy: 'Local' }, 'Invalid spec.externalTrafficPolicy'],
    [{ type: 'NodePort', externalTrafficPolicy: 'Odd' }, 'NotSupported spec.externalTrafficPolicy'],
    [{ healthCheckNodePort: 30000 }, 'Invalid spec.healthCheckNodePort'],
    [{ internalTrafficPolicy: 'Odd' }, 'NotSupported spec.internalTrafficPolicy'],
  ])('with %j is refused', (spec, cause) => {
    refuses(spec, cause);
  });

  it.each([
    [{ loadBalancerSourceRanges: ['x'] }, 'Invalid spec.LoadBalancerSourceRanges'],
    [{ loadBalancerClass: 'a b' }, 'Invalid spec.loadBalancerClass'],
  ])('that balances load with %j is refused', (spec, cause) => {
    refuses(
      { type: 'LoadBalancer', externalTrafficPolicy: 'Cluster', allocateLoadBalancerNodePorts: true, ...spec },
      cause,
    );
  });

  it('may name source ranges in an annotation', () => {
    const key = 'service.beta.platform.io/load-balancer-source-ranges';
    const document = changed(service({}), { metadata: { annotations: { [key]: 'x' } } });
    expect(problemsOf(Service, rules, document)).toEqual([
      `Forbidden metadata.annotations[${key}]`,
      `Invalid metadata.annotations[${key}]`,
    ]);
  });
});

describe('a change of a service', () => {
  const dual = {
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1', '::1'],
    ipFamilies: ['IPv4', 'IPv6'],
    ipFamilyPolicy: 'RequireDualStack',
  };
  const single = {
    clusterIP: '10.0.0.1',
    clusterIPs: ['10.0.0.1'],
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
  };
  const change = (before: unknown, after: unknown) =>
    problemsOfChange(Service, validateServiceUpdate, service(before), service(after));

  it('adds a second address or gives it up, saying so', () => {
    expect(change(single, dual)).toEqual([]);
    expect(change(dual, single)).toEqual([]);
    expect(change(dual, { ...single, ipFamilyPolicy: 'PreferDualStack' })).toEqual(['Invalid spec.ipFamilyPolicy']);
  });

  it('keeps the first address', () => {
    expect(change(single, { ...single, clusterIPs: ['10.0.0.2'] })).toEqual(['Invalid spec.clusterIPs[0]']);
    expect(change(single, { ...dual, clusterIPs: ['10.0.0.2', '::1'] })).toEqual(['Invalid spec.clusterIPs[0]']);
    expect(change(single, { ...single, clusterIPs: [] })).toEqual(['Invalid spec.clusterIPs[0]']);
    expect(change(single, { ...single, ipFamilies: ['IPv6'] })).toEqual(['Invalid spec.ipFamilies[0]']);
  });

  it('to or from a mere name changes addresses as it likes', () => {
    expect(change(single, { type: 'ExternalName', externalName: 'a' })).toEqual([]);
    expect(change({ type: 'ExternalName', externalName: 'a' }, single)).toEqual([]);
  });

  it('of a load balancer keeps its class and its health check', () => {
    const balancer = { ...single, type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30000 };
    expect(change(balancer, balancer)).toEqual([]);
    expect(change(balancer, { ...balancer, loadBalancerClass: 'x' })).toEqual(['Invalid spec.loadBalancerClass']);
    expect(change(balancer, { ...balancer, healthCheckNodePort: 30001 })).toEqual([
      'Forbidden spec.healthCheckNodePort',
    ]);
  });
});

it.each([
  [{ ip: '10.0.0.1', hostname: 'a.b' }, []],
  [{ ip: 'x' }, ['Invalid status.loadBalancer.ingress[0].ip']],
  [{ hostname: 'A' }, ['Invalid status.loadBalancer.ingress[0].hostname']],
  [{ hostname: '10.0.0.1' }, ['Invalid status.loadBalancer.ingress[0].hostname']],
])('status of a service, ingress %j: %j', (ingress, expected) => {
  const after = changed(service({}), { status: { loadBalancer: { ingress: [ingress] } } });
  expect(problemsOfChange(Service, validateServiceStatusUpdate, service({}), after)).toEqual(expected);
});
