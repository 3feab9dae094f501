import { describe, expect, it } from 'vitest';
import { readRequestInfo } from './request-info.ts';

/** What is told of a resource request: group/version resource/subresource, name in namespace, the rest. */
function told(target: string, method = 'GET'): string {
  const info = readRequestInfo(method, target);
  if (!info.resourceRequest) return `${info.verb} ${info.path}`;
  const { verb, group, version, namespace, resource, subresource, name, rest } = info;
  return `${verb} ${group}/${version} ${resource}/${subresource} ${name}@${namespace} [${rest}]`;
}

describe('a request', () => {
  it.each([
    ['/api/v1/pods', 'list /v1 pods/ @ []'],
    ['/api/v1/pods/', 'list /v1 pods/ @ []'],
    ['/api/v1/namespaces/a/pods/x', 'get /v1 pods/ x@a []'],
    ['/api/v1/namespaces/a/pods/x/log', 'get /v1 pods/log x@a []'],
    ['/api/v1/namespaces/a/pods/x/proxy/b//c/', 'get /v1 pods/proxy x@a [b,,c]'],
    ['/api/v1/namespaces', 'list /v1 namespaces/ @ []'],
    ['/api/v1/namespaces/a', 'get /v1 namespaces/ a@a []'],
    ['/api/v1/namespaces/a/status', 'get /v1 namespaces/status a@a []'],
    ['/api/v1/watch/namespaces/a/pods', 'watch /v1 pods/ @a []'],
    ['/api/v1/watch', 'list /v1 watch/ @ []'],
    ['/apis/apps/v1/deployments/x', 'get apps/v1 deployments/ x@ []'],
    ['/apis/apps/v1/namespaces/a/deployments?watch=1', 'watch apps/v1 deployments/ @a []'],
    ['/api/v1/pods?fieldSelector=metadata.name=x', 'list /v1 pods/ x@ []'],
    ['/api/v1/namespaces/a/services/x%2Fy', 'get /v1 services/ x/y@a []'],
  ])('for %s asks for a resource', (target, expected) => {
    expect(told(target)).toBe(expected);
  });

  it.each([
    '/',
    '/healthz',
    '/api',
    '/api/v1',
    '/apis/apps/v1',
    '/api//pods',
    '/apis//v1/pods',
    '/api/v1/namespaces//pods',
    '/api/v1/pods/%',
  ])('for %s asks for no resource', (target) => {
    expect(told(target)).toBe(`get ${target}`);
  });

  it('says by its method what it does', () => {
    const verbs = ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => readRequestInfo(method, '/api/v1/pods').verb);
    expect(verbs).toEqual(['create', 'update', 'patch', 'deletecollection']);
    expect(readRequestInfo('DELETE', '/api/v1/nodes/x').verb).toBe('delete');
  });
});
