import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { readYaml } from '../codec/yaml-text.ts';
import { MOST_VALUES } from '../schema/document-limits.ts';
import { isObject } from '../schema/json-object.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';

const DEEPEST = 100;

type JsonObject = { readonly [key: string]: unknown };

/**
 * What an AdmissionConfiguration says about each plugin: inline, or in a file beside it. Rejects with an Error of one
 * line that names the file.
 */
export async function readPluginConfigurations(file: string, vocabulary: Vocabulary): Promise<Map<string, unknown>> {
  const document = await readFile(file);
  const { kind, apiVersion, plugins } = isObject(document) ? document : {};
  const versions = ['v1', 'v1alpha1', 'v1beta1'].map(
    (version) => `${vocabulary.configGroups.apiserverConfig}/${version}`,
  );
  if (kind !== 'AdmissionConfiguration' || !versions.includes(String(apiVersion))) {
    throw new Error(`${file}: an AdmissionConfiguration of ${versions[0]} is wanted`);
  }
  if (plugins !== undefined && plugins !== null && !Array.isArray(plugins)) {
    throw new Error(`${file}: plugins must be a list`);
  }
  const found = new Map<string, unknown>();
  for (const entry of plugins ?? []) {
    if (!isObject(entry) || typeof entry.name !== 'string') throw new Error(`${file}: a plugin has no name`);
    if (found.has(entry.name)) throw new Error(`${file}: the plugin ${entry.name} is configured twice`);
    found.set(entry.name, await configurationOf(entry, file));
  }
  return found;
}

function configurationOf({ path, configuration }: JsonObject, file: string): Promise<unknown> | unknown {
  if (configuration !== undefined && configuration !== null) return configuration;
  return typeof path === 'string' && path !== '' ? readFile(resolve(dirname(file), path)) : undefined;
}

async function readFile(file: string): Promise<unknown> {
  try {
    const { value, repeated } = await readYaml(readFileSync(file, 'utf8'), { deepest: DEEPEST, values: MOST_VALUES });
    if (repeated.length > 0) throw new Error(`${repeated.join(', ')} stands there twice`);
    return value;
  } catch (error) {
    throw new Error(`cannot read ${file}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
