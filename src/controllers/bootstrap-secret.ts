import type { AnyObject } from '../client/plane-client.ts';
import type { Secret } from '../kinds/core/config/secret.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { SigningToken } from './cluster-info-signature.ts';

const ID = /^[a-z0-9]{6}$/;

/** What a secret says that holds a token with which machines join. */
export interface BootstrapSecret {
  readonly name: string;
  readonly uid: string;
  /** Milliseconds since the epoch. A time that cannot be read has passed. Undefined: never. */
  readonly expires: number | undefined;
  /** The token, if it may be used to sign. */
  readonly signing: SigningToken | undefined;
}

/** Undefined for any other secret. */
export function readBootstrapSecret(object: AnyObject, vocabulary: Vocabulary): BootstrapSecret | undefined {
  const { type, metadata, data } = object as Secret;
  const { namespace, name = '', uid = '' } = metadata;
  if (type !== vocabulary.secretTypes.bootstrapToken || namespace !== vocabulary.namespaces.system) return undefined;
  const text = (key: string): string => Buffer.from(data?.[key] ?? '', 'base64').toString();
  const [id, secret, expiration] = [text('token-id'), text('token-secret'), text('expiration')];
  // Any secret signs: only who lets machines in is particular about its form.
  const isToken = ID.test(id) && secret !== '' && name === `bootstrap-token-${id}`;
  return {
    name,
    uid,
    expires: expiration === '' ? undefined : timeIn(expiration),
    signing: isToken && text('usage-bootstrap-signing') === 'true' ? { id, secret } : undefined,
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const timeIn = (text: string): number => (TIME.test(text) ? Date.parse(text) || 0 : 0);
