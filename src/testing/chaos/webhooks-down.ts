import { ruleMatches } from '../../admission/matching/rules.ts';
import { internalBecause } from '../../api/errors.ts';
import type { RuleWithOperations } from '../../kinds/admissionregistration/rule.ts';
import type { Server } from '../../server/server.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import type { InterceptedRequest } from '../interception.ts';
import { CHAOS_AGENT } from './stale-reads.ts';

const OPERATIONS: Readonly<Record<string, string>> = {
  create: 'CREATE',
  update: 'UPDATE',
  patch: 'UPDATE',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

interface Configuration {
  readonly webhooks?: readonly {
    readonly name: string;
    readonly failurePolicy?: string;
    readonly rules?: readonly RuleWithOperations[];
  }[];
}

/**
 * The refusal of a write by the first webhook that would have been asked about it and has to answer; undefined when there is
 * none. Rules count, selectors of namespaces and objects do not: what an object is, is not known before it is read.
 */
export async function failedWebhook(server: Server, vocabulary: Vocabulary, request: InterceptedRequest) {
  const operation = OPERATIONS[request.verb];
  const { admissionregistration } = vocabulary.groups;
  if (!operation || request.resource === '' || request.group === admissionregistration) return undefined;
  const { group, version, resource: plural, subresource, namespace, name: object } = request;
  const subject = { operation, group, version, plural, subresource, namespaced: namespace !== '', name: object };
  for (const sort of ['mutating', 'validating']) {
    const target = `/apis/${admissionregistration}/v1/${sort}webhookconfigurations`;
    const headers = { accept: 'application/json', 'user-agent': CHAOS_AGENT };
    const { body } = await server.inject({ target, headers, as: 'admin' });
    const { items = [] } = JSON.parse(body.toString()) as { items?: readonly Configuration[] };
    for (const { name, failurePolicy, rules } of items.flatMap(({ webhooks }) => webhooks ?? [])) {
      if (failurePolicy === 'Ignore' || !rules?.some((rule) => ruleMatches(rule, subject))) continue;
      const why = 'failed to call webhook: connect ECONNREFUSED';
      return internalBecause(`failed calling webhook ${JSON.stringify(name)}: ${why}`);
    }
  }
  return undefined;
}
