import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import type { Reply } from '../http/message.ts';

export interface OpenidOptions {
  /** Who signs tokens of service accounts. */
  readonly issuer: string;
  /** Public keys (RFC 7517), each with its `alg`. */
  readonly keys: readonly { readonly alg: string }[];
  /** Where the keys are, as told to others. */
  readonly jwksUri: string;
}

/** Where others look for it. */
const CONFIGURATION_PATH = '/.well-known/openid-configuration';
const KEYS_PATH = '/openid/v1/jwks';

/** The paths that answer; none when the issuer is not an address. */
export const openidPaths = (issuer: string): readonly string[] =>
  isDiscoverable(issuer) ? [CONFIGURATION_PATH, KEYS_PATH] : [];

/** Whether others can follow the issuer's name to what is served here. */
const isDiscoverable = (issuer: string): boolean => {
  if (!URL.canParse(issuer)) return false;
  const { protocol, search, hash } = new URL(issuer);
  return protocol === 'https:' && search === '' && hash === '';
};

/** Tells others how to verify tokens of service accounts; nothing when the issuer is not an address. */
export function openidHandler({ issuer, keys, jwksUri }: OpenidOptions): PathHandler {
  if (!isDiscoverable(issuer)) return () => undefined;
  const algorithms = [...new Set(keys.map(({ alg }) => alg))].sort();
  return (context) => {
    switch (context.info.path) {
      case CONFIGURATION_PATH:
        demandRead(context);
        return publicDocument('application/json', {
          issuer,
          jwks_uri: jwksUri,
          response_types_supported: ['id_token'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: algorithms,
        });
      case KEYS_PATH:
        demandRead(context);
        return publicDocument('application/jwk-set+json', { keys });
      default:
        return undefined;
    }
  };
}

const publicDocument = (contentType: string, document: object): Reply => ({
  status: 200,
  headers: ['Content-Type', contentType, 'Cache-Control', 'public, max-age=3600'],
  body: Buffer.from(JSON.stringify(document)),
});
