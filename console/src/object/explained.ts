import type { JsonObject } from '../api/json.ts';
import { resourceName } from '../state/catalogue.ts';
import type { LiveObject } from './live-object.ts';

/** An object as questions name it. */
export const explainedObject = ({ kind, namespace, name }: LiveObject): JsonObject => ({
  group: kind.group,
  version: kind.version,
  resource: kind.plural,
  namespace: kind.namespaced ? namespace : '',
  name,
});

/** An object as commands name it. */
export const commandTarget = ({ kind, namespace, name }: LiveObject): string =>
  `${resourceName(kind)} ${name}${kind.namespaced ? ` --namespace=${namespace}` : ''}`;
