import type { Rest } from '../../runtime/pacing.ts';
import type { JsonSchema } from '../../schema/derive/openapi.ts';
import { versionInfo } from '../version.ts';
import { Draft, type Material, responsesOf, SECURITY, sorted } from './draft.ts';
import type { Endpoint, Operation, Part } from './endpoint.ts';
import type { Parameter } from './parameters.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** One document of the whole API, in the older flavour (swagger 2.0). */
export interface V2Document {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Members;
  readonly definitions: Members;
  readonly parameters: Members;
  readonly security: readonly object[];
  readonly securityDefinitions: Members;
}

/** `rest` is awaited after every path, so that others can be served while the document is built. */
export async function v2Document(parts: readonly Part[], material: Material, rest: Rest): Promise<V2Document> {
  const draft = new Draft('v2', material, writeParameter);
  const paths = new Map<string, JsonSchema>();
  for (const part of parts) {
    for (const endpoint of part.endpoints()) {
      paths.set(endpoint.path, pathItem(draft, endpoint));
      await rest();
    }
  }
  return {
    swagger: '2.0',
    info: { title: material.vocabulary.product.name, version: versionInfo.gitVersion },
    paths: Object.fromEntries(sorted(paths)),
    definitions: Object.fromEntries(sorted(draft.definitions)),
    parameters: Object.fromEntries(sorted(draft.sharedParameters)),
    security: [{ BearerToken: [] }],
    securityDefinitions: SECURITY,
  };
}

const writeParameter = ({ name, in: place, type, description }: Parameter): JsonSchema => ({
  name,
  in: place,
  description,
  type,
  ...(place === 'path' && { required: true }),
});

function pathItem(draft: Draft, endpoint: Endpoint): JsonSchema {
  const { parameters, operations } = endpoint;
  return {
    ...Object.fromEntries(operations.map((each) => [each.method, operationOf(draft, endpoint, each)])),
    ...(parameters.length > 0 && { parameters: draft.parameters(parameters) }),
  };
}

function operationOf(draft: Draft, endpoint: Endpoint, operation: Operation): JsonSchema {
  const { consumes, produces, query, body, answers } = operation;
  const inBody = body && {
    name: 'body',
    in: 'body',
    ...(body.required && { required: true }),
    schema: draft.schemaOf(body.node),
  };
  const parameters = [...(inBody ? [inBody] : []), ...draft.parameters(query)];
  return {
    ...draft.head(endpoint, operation),
    schemes: ['https'],
    consumes,
    produces,
    ...(parameters.length > 0 && { parameters }),
    responses: responsesOf(answers, (node) => ({ schema: draft.schemaOf(node) })),
  };
}
