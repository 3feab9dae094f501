import { describe, expect, it } from 'vitest';
import { changed, problemsOf, problemsOfChange } from '../../../test/problems-of.ts';
import { APIService } from './api-service.ts';
import { validateAPIService, validateAPIServiceStatusUpdate } from './api-service-validation.ts';

const service = {
  metadata: { name: 'v1.x.y' },
  spec: { group: 'x.y', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
};
const remote = { service: { namespace: 'n', name: 's' } };

describe('an API service', () => {
  it.each([
    [{}, []],
    [{ metadata: { name: 'v1.' }, spec: { group: null } }, []],
    [{ spec: { ...remote, caBundle: 'YQ==' } }, []],
    [{ metadata: { name: 'other' } }, ['Invalid metadata.name']],
    [{ metadata: { name: 'v2.' }, spec: { group: null, version: 'v2' } }, ['Required spec.group']],
    [{ metadata: { name: 'v1.X' }, spec: { group: 'X' } }, ['Invalid spec.group']],
    [{ metadata: { name: '1.x.y' }, spec: { version: '1' } }, ['Invalid spec.version']],
    [{ spec: { groupPriorityMinimum: 0 } }, ['Invalid spec.groupPriorityMinimum']],
    [{ spec: { groupPriorityMinimum: 20001 } }, ['Invalid spec.groupPriorityMinimum']],
    [{ spec: { versionPriority: 1001 } }, ['Invalid spec.versionPriority']],
    [{ spec: { caBundle: 'YQ==' } }, ['Invalid spec.caBundle']],
    [{ spec: { insecureSkipTLSVerify: true } }, ['Invalid spec.insecureSkipTLSVerify']],
    [{ spec: { service: { name: 's' } } }, ['Required spec.service.namespace']],
    [{ spec: { service: { namespace: 'n' } } }, ['Required spec.service.name']],
    [{ spec: { service: { namespace: 'n', name: 's', port: 0 } } }, ['Invalid spec.service.port']],
    [{ spec: { ...remote, caBundle: 'YQ==', insecureSkipTLSVerify: true } }, ['Invalid spec.insecureSkipTLSVerify']],
  ])('with %j: %j', (change, causes) => {
    expect(problemsOf(APIService, { validate: validateAPIService }, changed(service, change))).toEqual(causes);
  });

  it('reports yes, no or unknown', () => {
    const report = (status: string) =>
      problemsOfChange(APIService, validateAPIServiceStatusUpdate, service, {
        ...service,
        status: { conditions: [{ type: 'Available', status }] },
      });
    expect([report('True'), report('Maybe')]).toEqual([[], ['NotSupported status.conditions[0].status']]);
  });
});
