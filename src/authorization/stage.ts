import { internalBecause } from '../api/errors.ts';
import type { UserInfo } from '../api/user.ts';
import type { RequestContext } from '../request/context.ts';
import type { Attributes, Authorizer, Decision } from './attributes.ts';
import { denied } from './denial.ts';

/** What a request wants, in the terms policies are written in. */
export const attributesOf = ({ info }: RequestContext, user: UserInfo): Attributes => ({
  user,
  verb: info.verb,
  resourceRequest: info.resourceRequest,
  group: info.group,
  version: info.version,
  resource: info.resource,
  subresource: info.subresource,
  namespace: info.namespace,
  name: info.name,
  path: info.path,
});

/** Lets the request pass, or throws the 403 that says who may not do what; 500 when that could not be found out. */
export async function authorize(authorizer: Authorizer, context: RequestContext, user: UserInfo): Promise<void> {
  const attributes = attributesOf(context, user);
  const asked = authorizer.authorize(attributes);
  const decision = asked instanceof Promise ? await asked : asked;
  context.decision = decision;
  demandAllowed(attributes, decision);
}

/** For a request that may change an object and turns out to make it: whoever does that must be allowed to create it. */
export async function authorizeCreation(
  authorizer: Authorizer,
  context: RequestContext,
  user: UserInfo,
): Promise<void> {
  const attributes = { ...attributesOf(context, user), verb: 'create' };
  demandAllowed(attributes, await authorizer.authorize(attributes));
}

function demandAllowed(attributes: Attributes, decision: Decision): void {
  if (decision.decision === 'allow') return;
  throw decision.problem === undefined ? denied(attributes, decision) : internalBecause(decision.problem);
}
