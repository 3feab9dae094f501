import type { UserInfo } from '../../api/user.ts';
import type { AdmissionRequest } from '../../registry/admission.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { isNamespace, requestedType } from './matcher.ts';
import { type KindName, kindIn } from './shown-request.ts';

/**
 * What webhooks and policies are told of a request besides its objects, as they look in the version `as`. What is empty is
 * left out.
 */
export function describe(request: AdmissionRequest, as: ResourceType, kind: KindName, v: Vocabulary) {
  const { operation, type, subresource, namespace, name, user, dryRun } = request;
  const requested = requestedType(request);
  return {
    kind: kindOf(kind),
    resource: resourceOf(as),
    ...textUnder('subResource', subresource),
    requestKind: kindOf(kindIn(request, requested)),
    requestResource: resourceOf(requested),
    ...textUnder('requestSubResource', subresource),
    ...textUnder('name', name),
    ...textUnder('namespace', isNamespace(type) ? name : namespace),
    operation,
    userInfo: userInfoOf(user),
    dryRun,
    options: optionsOf(request, v),
  };
}

const kindOf = ({ group, version, kind }: KindName) => ({ group, version, kind });

const resourceOf = ({ group, version, plural }: ResourceType) => ({ group, version, resource: plural });

const textUnder = (key: string, text: string) => (text === '' ? {} : { [key]: text });

const userInfoOf = ({ name, uid, groups, extra }: UserInfo) => ({
  ...textUnder('username', name),
  ...textUnder('uid', uid),
  ...(groups.length === 0 ? {} : { groups }),
  ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
});

const OPTION_KINDS = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' };

function optionsOf({ operation, options, dryRun }: AdmissionRequest, { groups }: Vocabulary): object | null {
  if (operation === 'CONNECT') return null;
  const kind = OPTION_KINDS[operation];
  return { kind, apiVersion: `${groups.meta}/v1`, ...(dryRun ? { dryRun: ['All'] } : {}), ...options };
}
