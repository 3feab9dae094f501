import { describe, expect, it } from 'vitest';
import { actionTable } from '../../handlers/actions/action.ts';
import { connectorTable } from '../../handlers/connect/connector.ts';
import { builtInCatalogue } from '../../kinds/built-in.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import type { Endpoint } from './endpoint.ts';
import { publishedNames } from './names.ts';
import { partsOf } from './parts.ts';

const v = vocabularies.platform;

function endpoints(): Endpoint[] {
  const catalogue = builtInCatalogue(v);
  const surroundings = {
    vocabulary: v,
    names: publishedNames(v),
    actions: actionTable([]),
    connectors: connectorTable([]),
  };
  return partsOf(catalogue, catalogue, surroundings, () => false).flatMap((part) => part.endpoints());
}

describe('operations of the API', () => {
  const all = endpoints();

  it.each([
    ['post', '/apis/networking.platform.io/v1/namespaces/{namespace}/ingresses', 'Create an Ingress.'],
    ['get', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/status', 'Read status of a Deployment.'],
    [
      'delete',
      '/apis/apps/v1/namespaces/{namespace}/deployments',
      'Delete all objects of kind Deployment that match the selectors.',
    ],
    ['get', '/api/v1/namespaces/{namespace}/pods/{name}/exec', 'Connect to exec of a Pod.'],
    ['get', '/apis/apps/v1/', 'List the resources of apps/v1.'],
    ['get', '/api/v1/', 'List the resources of v1.'],
    ['get', '/apis/apps/', 'Read the versions of the group apps.'],
  ])('say what %s %s does', (method, path, description) => {
    const operations = all.find((endpoint) => endpoint.path === path)?.operations;
    expect(operations?.find((operation) => operation.method === method)?.description).toBe(description);
  });

  it('say what each part of the path and of the query means', () => {
    const parameters = all.flatMap(({ parameters: shared, operations }) => [
      ...shared,
      ...operations.flatMap(({ query }) => query),
    ]);
    const undescribed = parameters.filter(({ description }) => !/^[A-Z].*\.$/.test(description));
    expect(parameters.length).toBeGreaterThan(1000);
    expect(undescribed.map(({ name }) => name)).toEqual([]);
  });
});
