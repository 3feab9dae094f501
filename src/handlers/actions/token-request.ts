import { badRequest, conflict, invalid } from '../../api/errors.ts';
import { type BoundObjectReference, TokenRequest } from '../../kinds/authentication/v1/token-request.ts';
import { validateTokenRequest } from '../../kinds/authentication/v1/token-request-validation.ts';
import type { Pod } from '../../kinds/core/pod/pod.ts';
import type { ApiObject } from '../../registry/resource-type.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { Problems } from '../../schema/problems.ts';
import { formatTime } from '../../schema/time.ts';
import type { Action, ActionCall } from './action.ts';
import { servedType } from './served-type.ts';

/** Something that is there once under its name. */
export interface Named {
  readonly name: string;
  readonly uid: string;
}

/** Whom a token is for, and what it is good for. */
export interface TokenClaims {
  readonly namespace: string;
  readonly serviceAccount: Named;
  /** The token is good for as long as this is there. */
  readonly boundTo?: Named & { readonly kind: 'Pod' | 'Secret' };
  readonly audiences: readonly string[];
  readonly expirationSeconds: number;
  /** The token goes on being good after this long, but its use is noted. */
  readonly warnAfterSeconds?: number;
}

export interface TokenSigner {
  /** What a token is good for when its request does not say. */
  readonly audiences: readonly string[];
  /** `issued`: seconds since the epoch. */
  sign(claims: TokenClaims): Promise<{ readonly token: string; readonly issued: number }>;
}

/** How long tokens may be good for. */
export interface TokenTerms {
  /** The longest; 0 for no limit. */
  readonly mostSeconds: number;
  /** Whether tokens for pods outlast what was asked for. */
  readonly extendsForPods: boolean;
}

const HOUR_SECONDS = 3600;
/** What pods ask for whose writer said nothing: programs from before tokens expired would not read theirs again. */
const USUAL_OF_PODS_SECONDS = 3607;
const YEAR_SECONDS = 365 * 24 * HOUR_SECONDS;

/** Gives out tokens of service accounts. `group`: that of the requests. */
export function tokenRequest(signer: TokenSigner, group: string, terms: TokenTerms): Action<TokenRequest> {
  return {
    group: '',
    plural: 'serviceaccounts',
    subresource: 'token',
    accepts: [{ group, version: 'v1', kind: 'TokenRequest', schema: TokenRequest, sensitive: true }],
    async run(call) {
      const { object, name, namespace, context } = call;
      const account = await find(call, 'serviceaccounts', name);
      refuseProblems(object, group);
      const audiences = object.spec.audiences?.length ? object.spec.audiences : [...signer.audiences];
      const wanted = object.spec.expirationSeconds ?? HOUR_SECONDS;
      const expirationSeconds = terms.mostSeconds > 0 ? Math.min(wanted, terms.mostSeconds) : wanted;
      if (expirationSeconds < wanted) {
        call.warn(`requested expiration of ${wanted} seconds shortened to ${expirationSeconds} seconds`);
      }
      const bound = await boundTo(call, object.spec.boundObjectRef);
      const outlasts =
        terms.extendsForPods &&
        bound.boundTo?.kind === 'Pod' &&
        expirationSeconds === USUAL_OF_PODS_SECONDS &&
        audiences.every((audience) => signer.audiences.includes(audience));
      const claims: TokenClaims = {
        namespace,
        serviceAccount: identity(account),
        ...bound,
        audiences,
        ...(outlasts
          ? { expirationSeconds: YEAR_SECONDS, warnAfterSeconds: expirationSeconds }
          : { expirationSeconds }),
      };
      const { token, issued } = await signer.sign(claims);
      const answer = {
        ...object,
        metadata: { name, namespace, creationTimestamp: formatTime(context.runtime.now()) },
        spec: { ...object.spec, audiences, expirationSeconds },
        status: { token, expirationTimestamp: formatTime((issued + expirationSeconds) * 1000) },
      };
      return { status: 201, body: canonicalise(TokenRequest, answer).value };
    },
  };
}

function refuseProblems(request: TokenRequest, group: string): void {
  const problems = new Problems();
  validateTokenRequest(request, problems);
  if (problems.found.length > 0) throw invalid(group, 'TokenRequest', '', problems.found);
}

const identity = ({ metadata: { name = '', uid = '' } }: ApiObject): Named => ({ name, uid });

async function find(
  { objects, catalogue, namespace }: ActionCall<TokenRequest>,
  plural: string,
  name: string,
): Promise<ApiObject> {
  return objects.of(await objects.read(servedType(catalogue, '', plural), namespace, name));
}

/** What the token is to live and die with, if anything. It must be there, and be the one that is meant. */
async function boundTo(
  call: ActionCall<TokenRequest>,
  reference: BoundObjectReference | null,
): Promise<Pick<TokenClaims, 'boundTo'>> {
  if (!reference) return {};
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference;
  if (apiVersion !== 'v1' || (kind !== 'Pod' && kind !== 'Secret')) {
    throw badRequest(`a token can be bound to a Pod or Secret of v1, not to a ${kind} of ${apiVersion}`);
  }
  const object = await find(call, kind === 'Pod' ? 'pods' : 'secrets', name);
  if (kind === 'Pod' && (object as Pod).spec.serviceAccountName !== call.name) {
    throw badRequest(`pod ${name} does not run as service account ${call.name}`);
  }
  if (uid !== '' && uid !== object.metadata.uid) {
    throw conflict({ group: '', resource: kind }, name, 'its uid is another: it may have been deleted and made anew');
  }
  return { boundTo: { kind, ...identity(object) } };
}
