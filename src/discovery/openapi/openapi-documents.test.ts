import { expect, it } from 'vitest';
import { actionTable } from '../../handlers/actions/action.ts';
import { connectorTable } from '../../handlers/connect/connector.ts';
import { Catalogue } from '../../registry/catalogue.ts';
import { Kind } from '../../registry/kind.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { ZOO, zooType } from '../../registry/test-kinds.ts';
import { systemRuntime as runtime } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { OpenapiDocuments } from './openapi-documents.ts';

const PART = `apis/${ZOO}/v1`;
let compiled: string[] = [];

/** A kind whose schema is compiled when it is asked for. */
function custom(plural: string, digest: string): Kind {
  const type = zooType(plural, 'v1', { digest, schemaName: `${ZOO}/v1.${plural}` });
  const { schema } = type;
  const get = (): ResourceType['schema'] => {
    compiled.push(plural);
    return schema;
  };
  Object.defineProperty(type, 'schema', { get });
  return new Kind({ versions: [type], storage: type });
}

function documentsOf(...kinds: Kind[]): OpenapiDocuments {
  const catalogue = new Catalogue();
  catalogue.add(...kinds);
  compiled = [];
  const tables = { actions: actionTable([]), connectors: connectorTable([]) };
  return new OpenapiDocuments({ catalogue, vocabulary: vocabularies.platform, runtime, ...tables });
}

async function addressIn(documents: OpenapiDocuments): Promise<string> {
  const { paths } = JSON.parse(String((await documents.index()).bytes));
  return paths[PART].serverRelativeURL;
}

it('the index compiles no schema of a custom kind, and leads to the very document that is built later', async () => {
  const documents = documentsOf(custom('lions', 'a'), custom('bears', 'b'));
  const address = await addressIn(documents);
  expect(compiled).toEqual([]);
  const document = await documents.part(PART);
  expect(address).toBe(`/openapi/v3/${PART}?hash=${document?.digest}`);
  expect(address).toMatch(/hash=[0-9a-f]{64}$/);
  expect(new Set(compiled)).toEqual(new Set(['bears', 'lions']));
});

it('a document has another address when one of its kinds is made of something else, comes or goes', async () => {
  const addresses = [
    await addressIn(documentsOf(custom('lions', 'a'))),
    await addressIn(documentsOf(custom('lions', 'b'))),
    await addressIn(documentsOf(custom('lions', 'a'), custom('bears', 'b'))),
    await addressIn(documentsOf(custom('lions', 'a'), custom('seals', 'b'))),
  ];
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(await addressIn(documentsOf(custom('lions', 'a')))).toBe(addresses[0]);
});

it('a custom kind among others gives their document an address that is told without building it', async () => {
  const plain = zooType('tigers', 'v1');
  const tigers = new Kind({ versions: [plain], storage: plain });
  const alone = await addressIn(documentsOf(tigers));
  const documents = documentsOf(tigers, custom('lions', 'a'));
  const together = await addressIn(documents);
  expect([compiled, together === alone]).toEqual([[], false]);
  expect(together).toContain((await documents.part(PART))?.digest);
});
