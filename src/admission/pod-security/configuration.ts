import { isObject } from '../../schema/json-object.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { LEVEL_WANTED, type Mode, type Policies, readLevel, readVersion, VERSION_WANTED } from './policy.ts';

/** What namespaces without labels are held to, and whom nothing is asked of. */
export interface PodSecurityConfiguration {
  readonly defaults: Policies;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
  };
}

type JsonObject = { readonly [key: string]: unknown };

const VERSIONS = ['v1', 'v1beta1', 'v1alpha1'];

/** Reads a PodSecurityConfiguration; without one, nothing is refused where no label says so. Throws an Error of one line. */
export function readConfiguration(given: unknown, { configGroups }: Vocabulary): PodSecurityConfiguration {
  const document = given ?? {};
  if (!isObject(document)) throw new Error('its configuration must be an object');
  const { kind, apiVersion, defaults = {}, exemptions = {} } = document;
  const known = VERSIONS.map((version) => `${configGroups.podSecurity}/${version}`);
  if (given !== undefined && (kind !== 'PodSecurityConfiguration' || !known.includes(String(apiVersion)))) {
    throw new Error(`a PodSecurityConfiguration of ${known[0]} is wanted`);
  }
  if (!isObject(defaults) || !isObject(exemptions)) throw new Error('defaults and exemptions must be objects');
  return {
    defaults: {
      enforce: policy(defaults, 'enforce'),
      audit: policy(defaults, 'audit'),
      warn: policy(defaults, 'warn'),
    },
    exemptions: {
      usernames: names(exemptions, 'usernames'),
      runtimeClasses: names(exemptions, 'runtimeClasses'),
      namespaces: names(exemptions, 'namespaces'),
    },
  };
}

function policy(defaults: JsonObject, mode: Mode): Policies[Mode] {
  const { [mode]: level = 'privileged', [`${mode}-version`]: version = 'latest' } = defaults;
  const wanted = { level: readLevel(String(level)), version: readVersion(String(version)) };
  if (wanted.level === undefined) throw new Error(`defaults.${mode} ${LEVEL_WANTED}`);
  if (wanted.version === undefined) throw new Error(`defaults.${mode}-version ${VERSION_WANTED}`);
  return { level: wanted.level, version: wanted.version };
}

function names(exemptions: JsonObject, field: string): ReadonlySet<string> {
  const list = exemptions[field] ?? [];
  const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';
  if (!Array.isArray(list) || !list.every(isName)) throw new Error(`exemptions.${field} must be a list of names`);
  return new Set(list);
}
