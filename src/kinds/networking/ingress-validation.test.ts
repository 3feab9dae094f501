import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { Ingress } from './ingress.ts';
import { IngressClass } from './ingress-class.ts';
import { validateIngressClass, validateIngressClassUpdate } from './ingress-class-validation.ts';
import { validateIngress, validateIngressCreate, validateIngressStatusUpdate } from './ingress-validation.ts';

const backend = { service: { name: 's', port: { number: 80 } } };
const path = { path: '/a', pathType: 'Prefix', backend };
const withPath = (change: unknown) => ({ rules: [{ http: { paths: [changed(path, change)] } }] });
const rules = { validate: validateIngress, validateCreate: validateIngressCreate };
const refuses = (spec: unknown, ...causes: string[]) =>
  expect(problemsOf(Ingress, rules, { spec })).toEqual(causes.sort());

describe('an ingress', () => {
  it('may have rules, a default and certificates', () => {
    refuses({
      ingressClassName: 'c',
      defaultBackend: { resource: { apiGroup: 'x.y', kind: 'Bucket', name: 'b' } },
      tls: [{ hosts: ['a.b', '*.a.b'], secretName: 's' }],
      rules: [
        { host: 'a.b', http: { paths: [path, { pathType: 'ImplementationSpecific', backend }] } },
        { host: '*.a.b', http: { paths: [{ ...path, pathType: 'Exact' }] } },
      ],
    });
  });

  const at = 'spec.rules[0].http.paths[0]';

  it.each([
    [{}, 'Invalid spec'],
    [{ rules: [{ host: '10.0.0.1' }] }, 'Invalid spec.rules[0].host'],
    [{ rules: [{ host: 'A' }] }, 'Invalid spec.rules[0].host'],
    [{ rules: [{ host: 'a.*' }] }, 'Invalid spec.rules[0].host'],
    [{ rules: [{ http: { paths: [] } }] }, 'Required spec.rules[0].http.paths'],
    [withPath({ pathType: null }), `Required ${at}.pathType`],
    [withPath({ pathType: 'Odd' }), `NotSupported ${at}.pathType`],
    [withPath({ path: 'a' }), `Invalid ${at}.path`],
    [withPath({ path: '/a//b' }), `Invalid ${at}.path`],
    [withPath({ path: '/a/..' }), `Invalid ${at}.path`],
    [withPath({ path: 'a', pathType: 'ImplementationSpecific' }), `Invalid ${at}.path`],
    [withPath({ backend: { service: null } }), `Invalid ${at}.backend`],
    [withPath({ backend: { resource: { kind: 'k', name: 'n' } } }), `Invalid ${at}.backend`],
    [withPath({ backend: { service: { name: '' } } }), `Required ${at}.backend.service.name`],
    [withPath({ backend: { service: { name: 'a.b' } } }), `Invalid ${at}.backend.service.name`],
    [withPath({ backend: { service: { port: { number: 0 } } } }), `Required ${at}.backend`],
    [withPath({ backend: { service: { port: { name: 'a' } } } }), `Invalid ${at}.backend`],
    [withPath({ backend: { service: { port: { name: 'A', number: 0 } } } }), `Invalid ${at}.backend.service.port.name`],
    [withPath({ backend: { service: { port: { number: 70000 } } } }), `Invalid ${at}.backend.service.port.number`],
    [
      withPath({ backend: { service: null, resource: { kind: '', name: 'n' } } }),
      `Required ${at}.backend.resource.kind`,
    ],
    [
      withPath({ backend: { service: null, resource: { kind: 'k', name: '' } } }),
      `Required ${at}.backend.resource.name`,
    ],
    [
      withPath({ backend: { service: null, resource: { apiGroup: 'A', kind: 'k', name: 'n' } } }),
      `Invalid ${at}.backend.resource.apiGroup`,
    ],
    [{ defaultBackend: backend, tls: [{ hosts: ['A'] }] }, 'Invalid spec.tls[0].hosts[0]'],
    [{ defaultBackend: backend, tls: [{ secretName: 'A' }] }, 'Invalid spec.tls[0].secretName'],
    [{ defaultBackend: backend, ingressClassName: 'A' }, 'Invalid spec.ingressClassName'],
  ])('with %j is refused', (spec, cause) => {
    refuses(spec, cause);
  });

  it('names its class once', () => {
    const document = {
      metadata: { annotations: { 'platform.io/ingress.class': 'c' } },
      spec: { defaultBackend: backend, ingressClassName: 'c' },
    };
    expect(problemsOf(Ingress, rules, document)).toEqual(['Invalid annotations.platform.io/ingress.class']);
  });

  it('is reached by addresses', () => {
    const status = { loadBalancer: { ingress: [{ ip: 'x' }] } };
    expect(problemsOfChange(Ingress, validateIngressStatusUpdate, {}, { status })).toEqual([
      'Invalid status.loadBalancer.ingress[0].ip',
    ]);
  });
});

describe('an ingress class', () => {
  const parameters = { kind: 'k', name: 'n', scope: 'Cluster' };

  it.each([
    [{ controller: 'x.y/z', parameters }, []],
    [{ controller: 'x.y/z', parameters: { ...parameters, scope: 'Namespace', namespace: 'n' } }, []],
    [{}, ['Required spec.controller']],
    [{ controller: 'x.y' }, ['Invalid spec.controller']],
    [{ controller: `x.y/${'z'.repeat(250)}` }, ['TooLong spec.controller']],
    [{ controller: 'x.y/z', parameters: { ...parameters, kind: '' } }, ['Required spec.parameters.kind']],
    [{ controller: 'x.y/z', parameters: { ...parameters, name: '' } }, ['Required spec.parameters.name']],
    [{ controller: 'x.y/z', parameters: { ...parameters, apiGroup: 'A' } }, ['Invalid spec.parameters.apiGroup']],
    [{ controller: 'x.y/z', parameters: { ...parameters, scope: 'Odd' } }, ['NotSupported spec.parameters.scope']],
    [
      { controller: 'x.y/z', parameters: { ...parameters, scope: 'Namespace' } },
      ['Required spec.parameters.namespace'],
    ],
    [{ controller: 'x.y/z', parameters: { ...parameters, namespace: 'n' } }, ['Forbidden spec.parameters.namespace']],
  ])('of %#: %j', (spec, causes) => {
    expect(problemsOf(IngressClass, { validate: validateIngressClass }, { spec })).toEqual(causes);
  });

  it('keeps its controller', () => {
    const change = (controller: string) =>
      problemsOfChange(
        IngressClass,
        validateIngressClassUpdate,
        { spec: { controller: 'x.y/z' } },
        { spec: { controller } },
      );
    expect([change('x.y/z'), change('x.y/other')]).toEqual([[], ['Invalid spec.controller']]);
  });
});
