import { Matcher } from '../../admission/matching/matcher.ts';
import { readWebhook, type Webhook, type WebhookConfiguration } from '../../admission/webhook/webhook.ts';
import type { Endpoints } from '../../kinds/core/service/endpoints.ts';
import type { Operation } from '../../registry/admission.ts';
import { hubOf } from '../../registry/versions.ts';
import { admissionRequest } from '../../registry/write.ts';
import { resourceText, type Search } from './blockers.ts';

const CONFIGURATIONS = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'];

/**
 * Webhooks that are asked about the deletion of the object, or about the writes that take its finalizers away, and without
 * whose answer nothing is done.
 */
export async function findWebhooks(search: Search): Promise<void> {
  const { call, object } = search;
  const group = call.context.vocabulary.groups.admissionregistration;
  const matcher = new Matcher(call.objects, call.catalogue);
  const operations: Operation[] = object.metadata.finalizers?.length ? ['DELETE', 'UPDATE'] : ['DELETE'];
  for (const plural of CONFIGURATIONS) {
    const type = call.catalogue.preferred(group, plural);
    if (!type || type.group === search.asked.type.group) continue;
    if (!(await search.mayList({ type, namespace: '', name: '' }))) {
      search.notSearched.add(resourceText(type));
      continue;
    }
    for (const configuration of call.objects.list<WebhookConfiguration>(type)) {
      for (const declared of configuration.webhooks ?? []) {
        tellIfInTheWay(search, matcher, readWebhook(configuration, declared), operations);
        await search.rest();
      }
    }
  }
}

function tellIfInTheWay(search: Search, matcher: Matcher, webhook: Webhook, operations: readonly Operation[]): void {
  if (webhook.failsOpen) return;
  const matched = operations.filter((operation) => matcher.match(webhook, requestOf(search, operation)));
  if (matched.length === 0) return;
  const absence = absenceOf(search, webhook);
  search.found.add({
    type: 'Webhook',
    name: webhook.id,
    message: `is asked about ${matched.join(' and ')}, and may refuse; ${absence ?? 'whether it answers is known when it is tried'}`,
    certain: absence !== undefined && matched.includes('DELETE'),
  });
}

const requestOf = ({ call, asked, object }: Search, operation: Operation) =>
  admissionRequest(
    {
      operation,
      type: hubOf(asked.type),
      requestedAs: asked.type,
      subresource: '',
      namespace: asked.namespace,
      name: asked.name,
      object: undefined,
      oldObject: object,
    },
    call.options,
  );

/** Why it certainly cannot be reached, as far as that can be seen from here. */
function absenceOf({ call: { objects } }: Search, { address: { service } }: Webhook): string | undefined {
  if (!service) return undefined;
  const { namespace, name } = service;
  const place = `${namespace}/${name}`;
  if (!objects.has({ group: '', plural: 'services' }, namespace, name)) return `its service ${place} is not there`;
  const endpoints = objects.get<Endpoints>({ group: '', plural: 'endpoints' }, namespace, name);
  const isServed = endpoints?.subsets?.some(({ addresses }) => addresses?.length);
  return endpoints && !isServed ? `its service ${place} has nobody behind it` : undefined;
}
