import { allowMasters, alwaysAllow, alwaysDeny } from './always.ts';
import type { Authorizer } from './attributes.ts';
import { union } from './union.ts';

/** What `--authorization-mode` accepts. */
export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

/** The modes that need something to work with, for those that the server has it for. */
export type ConfiguredModes = Partial<Record<Exclude<AuthorizationMode, 'AlwaysAllow' | 'AlwaysDeny'>, Authorizer>>;

/** The modes in the order given, behind the privileged group. Throws what to tell the operator when that cannot be. */
export function authorizerFor(modes: readonly string[], configured: ConfiguredModes): Authorizer {
  if (modes.length === 0) throw new Error(`no authorization mode given: choose among ${authorizationModes.join(', ')}`);
  const repeated = modes.find((mode, position) => modes.indexOf(mode) !== position);
  if (repeated !== undefined) throw new Error(`authorization mode "${repeated}" is given more than once`);
  return union([allowMasters, ...modes.map((mode) => authorizerNamed(mode, configured))]);
}

function authorizerNamed(name: string, configured: ConfiguredModes): Authorizer {
  const mode = authorizationModes.find((known) => known === name);
  if (mode === undefined) {
    throw new Error(`unknown authorization mode "${name}": choose among ${authorizationModes.join(', ')}`);
  }
  if (mode === 'AlwaysAllow') return alwaysAllow;
  if (mode === 'AlwaysDeny') return alwaysDeny;
  const authorizer = configured[mode];
  if (!authorizer) throw new Error(`authorization mode "${mode}" is not configured`);
  return authorizer;
}
