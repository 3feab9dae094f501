import { describe, expect, it } from 'vitest';
import { problemsOf } from '../../../test/problems-of.ts';
import { NetworkPolicy } from './network-policy.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';

const selector = { matchLabels: { a: 'b' } };
const from = (...peers: unknown[]) => ({ podSelector: {}, ingress: [{ from: peers }] });
const to = (...ports: unknown[]) => ({ podSelector: {}, egress: [{ ports }] });
const block = (ipBlock: unknown) => from({ ipBlock });
const at = 'spec.ingress[0].from[0]';
const port = 'spec.egress[0].ports[0]';

describe('a network policy', () => {
  it.each([
    [
      {
        podSelector: selector,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            from: [
              { podSelector: selector, namespaceSelector: {} },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
          },
        ],
        egress: [{ ports: [{ protocol: 'UDP', port: 53, endPort: 54 }, { port: 'http' }] }],
      },
      [],
    ],
    [{ podSelector: { matchLabels: { a: 'b c' } } }, ['Invalid spec.podSelector.matchLabels']],
    [to({ protocol: 'X' }), [`NotSupported ${port}.protocol`]],
    [to({ port: 0 }), [`Invalid ${port}.port`]],
    [to({ port: 'A' }), [`Invalid ${port}.port`]],
    [to({ endPort: 5 }), [`Invalid ${port}.endPort`]],
    [to({ port: 'http', endPort: 5 }), [`Invalid ${port}.endPort`]],
    [to({ port: 9, endPort: 5 }), [`Invalid ${port}.endPort`]],
    [to({ port: 9, endPort: 70000 }), [`Invalid ${port}.endPort`]],
    [from({}), [`Required ${at}`]],
    [from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }), [`Forbidden ${at}`]],
    [from({ namespaceSelector: { matchLabels: { a: 'b c' } } }), [`Invalid ${at}.namespaceSelector.matchLabels`]],
    [block({ cidr: '' }), [`Required ${at}.ipBlock.cidr`]],
    [block({ cidr: 'x' }), [`Invalid ${at}.ipBlock.cidr`]],
    [block({ cidr: '10.0.0.0/8', except: ['x'] }), [`Invalid ${at}.ipBlock.except[0]`]],
    [block({ cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] }), [`Invalid ${at}.ipBlock.except[0]`]],
    [block({ cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] }), [`Invalid ${at}.ipBlock.except[0]`]],
    [{ podSelector: {}, policyTypes: ['Odd'] }, ['NotSupported spec.policyTypes[0]']],
    [{ podSelector: {}, policyTypes: ['Ingress', 'Egress', 'Ingress'] }, ['Invalid spec.policyTypes']],
  ])('of %j: %j', (spec, causes) => {
    expect(problemsOf(NetworkPolicy, { validate: validateNetworkPolicy }, { spec })).toEqual(causes);
  });
});
