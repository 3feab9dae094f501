import { readFile } from 'node:fs/promises';
import { parseYamlOrJson } from '../../codec/parse-body.ts';
import { type GroupResources, Policy, type PolicyRule } from '../../kinds/audit/policy.ts';
import { dns1123Subdomain } from '../../meta/formats.ts';
import { noRest } from '../../runtime/pacing.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { TypeMismatch } from '../../schema/derive/reading.ts';
import { Problems } from '../../schema/problems.ts';
import { LEVELS, STAGES } from './levels.ts';

/** Reads a policy file. Rejects with one line that starts with the path and names everything that is wrong. */
export async function loadPolicy(file: string, group: string, warn: (text: string) => void): Promise<Policy> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file}: cannot be read (${error.code})`);
  });
  try {
    const { value } = await parseYamlOrJson(bytes, noRest, '');
    return readPolicy(value, group, (text) => warn(`${file}: ${text}`));
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message.replaceAll('\n', ' ')}`);
  }
}

/** Fields that no policy has are told as a warning, because a policy of a newer release is better than none. */
export function readPolicy(document: unknown, group: string, warn: (text: string) => void): Policy {
  const { value, unknown } = typed(document);
  if (value.kind !== 'Policy' || value.apiVersion !== `${group}/v1`) {
    throw new Error(`an audit policy says apiVersion: ${group}/v1 and kind: Policy`);
  }
  if (!value.rules?.length) throw new Error('an audit policy needs at least one rule');
  const problems = new Problems();
  validateStages(value.omitStages, 'omitStages', problems);
  for (const [at, rule] of value.rules.entries()) validateRule(rule, `rules[${at}]`, problems);
  if (problems.found.length > 0) {
    throw new Error(problems.found.map(({ field, message }) => `${field}: ${message}`).join('; '));
  }
  if (unknown.length > 0) warn(`audit policies have no ${unknown.join(', ')}`);
  return value;
}

function typed(document: unknown) {
  try {
    return canonicalise(Policy, document);
  } catch (error) {
    if (error instanceof TypeMismatch) throw new Error(`is no audit policy: ${error.message}`);
    throw error;
  }
}

function validateRule(rule: PolicyRule, path: string, problems: Problems): void {
  const { level, resources, namespaces, nonResourceURLs } = rule;
  if (level === '') problems.required(`${path}.level`);
  else if (!LEVELS.some((known) => known === level)) problems.notSupported(`${path}.level`, level, LEVELS);
  for (const [at, url] of (nonResourceURLs ?? []).entries())
    validateUrl(url, `${path}.nonResourceURLs[${at}]`, problems);
  for (const [at, entry] of (resources ?? []).entries()) validateEntry(entry, `${path}.resources[${at}]`, problems);
  validateStages(rule.omitStages, `${path}.omitStages`, problems);
  if (nonResourceURLs?.length && (resources?.length || namespaces?.length)) {
    problems.invalid(
      `${path}.nonResourceURLs`,
      nonResourceURLs,
      'rules cannot apply to both regular resources and non-resource URLs',
    );
  }
}

function validateUrl(url: string, path: string, problems: Problems): void {
  if (url === '*') return;
  if (!url.startsWith('/')) problems.invalid(path, url, "non-resource URL rules must begin with a '/' character");
  if (url.slice(0, -1).includes('*')) {
    problems.invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule");
  }
}

function validateEntry(
  { group = '', resources, resourceNames }: GroupResources,
  path: string,
  problems: Problems,
): void {
  const wrong = group === '' ? undefined : dns1123Subdomain(group);
  if (wrong !== undefined) problems.invalid(`${path}.group`, group, wrong);
  if (resourceNames?.length && !resources?.length) {
    problems.invalid(`${path}.resourceNames`, resourceNames, 'using resourceNames requires at least one resource');
  }
}

function validateStages(stages: readonly string[] | null | undefined, path: string, problems: Problems): void {
  for (const [at, stage] of (stages ?? []).entries()) {
    if (!STAGES.some((known) => known === stage)) problems.notSupported(`${path}[${at}]`, stage, STAGES);
  }
}
