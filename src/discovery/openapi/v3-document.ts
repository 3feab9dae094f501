import type { Rest } from '../../runtime/pacing.ts';
import type { JsonSchema } from '../../schema/derive/openapi.ts';
import { versionInfo } from '../version.ts';
import { Draft, type Material, responsesOf, SECURITY, sorted } from './draft.ts';
import type { Endpoint, Operation, Part } from './endpoint.ts';
import type { Parameter } from './parameters.ts';

/**
 * The document of one part of the API, in the newer flavour. It refers to nothing outside itself. `rest` is awaited after
 * every path, so that others can be served while the document is built.
 */
export async function v3Document(part: Part, material: Material, rest: Rest): Promise<JsonSchema> {
  const draft = new Draft('v3', material, writeParameter);
  const paths = new Map<string, JsonSchema>();
  for (const endpoint of part.endpoints()) {
    paths.set(endpoint.path, pathItem(draft, endpoint));
    await rest();
  }
  return {
    openapi: '3.0.0',
    info: { title: material.vocabulary.product.name, version: versionInfo.gitVersion },
    paths: Object.fromEntries(sorted(paths)),
    components: {
      schemas: Object.fromEntries(sorted(draft.definitions)),
      parameters: Object.fromEntries(sorted(draft.sharedParameters)),
      securitySchemes: SECURITY,
    },
    security: [{ BearerToken: [] }],
  };
}

const writeParameter = ({ name, in: place, type, description }: Parameter): JsonSchema => ({
  name,
  in: place,
  description,
  ...(place === 'path' && { required: true }),
  schema: { type },
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
  const contentOf = (types: readonly string[], schema: object): JsonSchema =>
    Object.fromEntries(types.map((type) => [type, { schema }]));
  return {
    ...draft.head(endpoint, operation),
    ...(query.length > 0 && { parameters: draft.parameters(query) }),
    ...(body && {
      requestBody: {
        ...(body.required && { required: true }),
        content: contentOf(consumes, draft.schemaOf(body.node)),
      },
    }),
    responses: responsesOf(answers, (node) => ({ content: contentOf(produces, draft.schemaOf(node)) })),
  };
}
