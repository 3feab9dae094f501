import { oneOf, required } from '../../meta/field-rules.ts';
import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { RuleWithOperations } from './rule.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

export function validateRule(rule: RuleWithOperations, path: Path, problems: Problems): void {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  validateStarAlone(operations, 'operations', path, 'operations', problems);
  operations.forEach((operation, at) => {
    if (!OPERATIONS.includes(operation)) {
      problems.notSupported(path.child('operations').index(at), operation, OPERATIONS);
    }
  });
  validateStarAlone(apiGroups, 'API groups', path, 'apiGroups', problems);
  validateStarAlone(apiVersions, 'API versions', path, 'apiVersions', problems);
  apiVersions.forEach((version, at) => {
    if (version === '') problems.required(path.child('apiVersions').index(at));
  });
  validateResources(resources, path.child('resources'), problems);
  oneOf(problems, path, 'scope', scope, SCOPES);
}

/** There is something, and what stands for everything stands alone. */
function validateStarAlone(list: readonly string[], what: string, path: Path, field: string, problems: Problems): void {
  required(problems, path, field, list);
  if (list.length < 2 || !list.includes('*')) return;
  problems.invalid(path.child(field), list, `if '*' is present, must not specify other ${what}`);
}

/** Resources, subresources after a slash; `*` for all of either. Nothing is named that a star before it covers. */
function validateResources(resources: readonly string[], path: Path, problems: Problems): void {
  if (resources.length === 0) problems.required(path);
  const earlier = new Set<string>();
  resources.forEach((resource, at) => {
    if (resource === '') problems.required(path.index(at));
    const [name, subresource] = resource.split('/', 2);
    for (const star of subresource === undefined ? [] : [`${name}/*`, `*/${subresource}`]) {
      if (!earlier.has(star)) continue;
      problems.invalid(path.index(at), resource, `if '${star}' is present, must not specify ${resource}`);
    }
    earlier.add(resource);
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    problems.invalid(path, resources, "if '*/*' is present, must not specify other resources");
  }
  if (resources.includes('*') && resources.some((resource) => resource !== '*' && !resource.includes('/'))) {
    problems.invalid(path, resources, "if '*' is present, must not specify other resources without subresources");
  }
}
