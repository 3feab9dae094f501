import { isObject } from '../../schema/json-object.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Whom to ask about images, and for how long to believe the answer. */
export interface ImagePolicyConfiguration {
  /** A client configuration that says where the service is. */
  readonly kubeConfigFile: string;
  readonly allowedMs: number;
  readonly deniedMs: number;
  readonly retryMs: number;
  /** What holds while the service cannot be asked. */
  readonly defaultAllow: boolean;
}

interface Span {
  readonly unit: number;
  readonly least: number;
  readonly most: number;
  readonly usual: number;
}

const TTL = { unit: SECOND, least: SECOND, most: 30 * MINUTE } as const;
const ALLOW_TTL: Span = { ...TTL, usual: 5 * MINUTE };
const DENY_TTL: Span = { ...TTL, usual: 30 * SECOND };
const BACKOFF: Span = { unit: 1, least: 1, most: 5 * MINUTE, usual: 500 };

type JsonObject = { readonly [key: string]: unknown };

/** Reads what stands under `imagePolicy`. Throws an Error of one line. */
export function readImagePolicy(given: unknown): ImagePolicyConfiguration {
  const policy = isObject(given) ? given.imagePolicy : undefined;
  if (!isObject(policy)) throw new Error('its configuration must have an imagePolicy');
  const { kubeConfigFile, defaultAllow = false } = policy;
  if (typeof kubeConfigFile !== 'string' || kubeConfigFile === '') {
    throw new Error('imagePolicy.kubeConfigFile must name a file');
  }
  if (typeof defaultAllow !== 'boolean') throw new Error('imagePolicy.defaultAllow must be true or false');
  return {
    kubeConfigFile,
    allowedMs: milliseconds(policy, 'allowTTL', ALLOW_TTL),
    deniedMs: milliseconds(policy, 'denyTTL', DENY_TTL),
    retryMs: milliseconds(policy, 'retryBackoff', BACKOFF),
    defaultAllow,
  };
}

/** 0 stands for the usual value, -1 for no time at all. */
function milliseconds(policy: JsonObject, field: string, { unit, least, most, usual }: Span): number {
  const value = policy[field] ?? 0;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new Error(`imagePolicy.${field} must be a number`);
  if (value === 0) return usual;
  if (value === -1) return 0;
  const wanted = value * unit;
  if (wanted >= least && wanted <= most) return wanted;
  throw new Error(`imagePolicy.${field} must be between ${least / unit} and ${most / unit}`);
}
