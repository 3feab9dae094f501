import { openapiHandler } from '../../src/discovery/openapi/openapi.ts';
import { actionTable } from '../../src/handlers/actions/action.ts';
import { connectorTable } from '../../src/handlers/connect/connector.ts';
import { contextFor } from '../../src/handlers/test-context.ts';
import { builtInCatalogue } from '../../src/kinds/built-in.ts';
import { systemRuntime } from '../../src/runtime/runtime.ts';
import type { Vocabulary } from '../../src/vocabulary/vocabulary.ts';

export type Json = { readonly [key: string]: unknown };

export const FLAVOURS = {
  v2: { path: '/openapi/v2', prefix: '#/definitions/', read: ({ definitions }: Json) => definitions },
  v3: {
    path: '/openapi/v3/',
    prefix: '#/components/schemas/',
    read: ({ components }: Json) => (components as Json).schemas,
  },
} as const;
export type Flavour = keyof typeof FLAVOURS;

/** Publishes all built-in kinds without a server; gives the definitions of a flavour by their published names. */
export function publishedDefinitions(vocabulary: Vocabulary): (flavour: Flavour) => Promise<Json> {
  const catalogue = builtInCatalogue(vocabulary);
  const handler = openapiHandler({
    ...{ catalogue, vocabulary, runtime: systemRuntime },
    actions: actionTable([]),
    connectors: connectorTable([]),
  });
  const documentAt = async (path: string): Promise<Json> => {
    const reply = await handler(contextFor('GET', path));
    return JSON.parse(String(reply?.body));
  };
  return async (flavour) => {
    const { path, read } = FLAVOURS[flavour];
    if (flavour === 'v2') return read(await documentAt(path)) as Json;
    const { paths } = await documentAt('/openapi/v3');
    const documents = await Promise.all(Object.keys(paths as Json).map((part) => documentAt(path + part)));
    return Object.assign({}, ...documents.map(read));
  };
}
