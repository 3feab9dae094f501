import { Info } from '../../kinds/version/info.ts';
import { APIGroup, APIGroupList, APIResourceList, APIVersions } from '../../meta/discovery.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Node } from '../../schema/node.ts';
import type { GroupSource } from '../group-source.ts';
import type { Endpoint, Part } from './endpoint.ts';
import { basePath, resourceEndpoints, type Surroundings } from './resource-endpoints.ts';

/** All parts of the API: the documents that lead to others, and every version of every group that this server has itself. */
export function partsOf(
  catalogue: Catalogue,
  source: GroupSource,
  surroundings: Surroundings,
  isElsewhere: (group: string, version: string) => boolean,
): Part[] {
  const { names } = surroundings;
  const documentPart = (name: string, tag: string, id: string, node: Node, description: string): Part => ({
    name,
    types: [],
    endpoints: () => [documentEndpoint(`/${name}/`, tag, id, node, description)],
  });
  const groupPart = (group: string): Part =>
    documentPart(
      `apis/${group}`,
      names.tag(group, ''),
      `get${names.prefix(group)}APIGroup`,
      APIGroup,
      `Read the versions of the group ${group}.`,
    );
  const versionPart = (group: string, version: string): Part => {
    const path = basePath(group, version);
    const types = catalogue.typesOf(group, version);
    const tag = names.tag(group, version);
    const id = `get${names.prefix(group, version)}APIResources`;
    const groupVersion = group === '' ? version : `${group}/${version}`;
    return {
      name: path.slice(1),
      types,
      endpoints: () => [
        documentEndpoint(`${path}/`, tag, id, APIResourceList, `List the resources of ${groupVersion}.`),
        ...types.flatMap((type) => resourceEndpoints(type, surroundings)),
      ],
    };
  };
  return [
    documentPart('version', 'version', 'getCodeVersion', Info, 'Read the release of the server.'),
    documentPart('api', names.tag('', ''), 'getCoreAPIVersions', APIVersions, 'Read the versions of the core group.'),
    documentPart('apis', 'apis', 'getAPIVersions', APIGroupList, 'List the API groups.'),
    ...source
      .groups()
      .flatMap(({ name, versions }) => [
        ...(name === '' ? [] : [groupPart(name)]),
        ...versions.filter((version) => !isElsewhere(name, version)).map((version) => versionPart(name, version)),
      ]),
  ];
}

const documentEndpoint = (path: string, tag: string, id: string, node: Node, description: string): Endpoint => ({
  path,
  tag,
  parameters: [],
  operations: [
    {
      method: 'get',
      id,
      description,
      query: [],
      consumes: ['application/json'],
      produces: ['application/json', 'application/yaml'],
      answers: [{ status: 200, node }],
    },
  ],
});
