import { allowMasters, alwaysAllow, alwaysDeny } from './always.ts';
import type { Authorizer } from './attributes.ts';
import { union } from './union.ts';

/** What `--authorization-mode` accepts. */
export const authorizationModes = ['AlwaysAllow', 'AlwaysDeny', 'ABAC', 'Webhook', 'RBAC', 'Node'] as const;

export type AuthorizationMode = (typeof authorizationModes)[number];

/** The modes that need something to work with, for those that the server has it for. */
export type ConfiguredModes = Partial<Record<Exclude<AuthorizationMode, 'AlwaysAllow' | 'AlwaysDeny'>, Authorizer>>;

/** The modes that were asked for, if they are some. Throws what to tell the operator when they are not. */
export function readModes(given: readonly string[]): readonly AuthorizationMode[] {
  if (given.length === 0) throw new Error(`no authorization mode given: choose among ${authorizationModes.join(', ')}`);
  const repeated = given.find((mode, position) => given.indexOf(mode) !== position);
  if (repeated !== undefined) throw new Error(`authorization mode "${repeated}" is given more than once`);
  return given.map((name) => {
    const mode = authorizationModes.find((known) => known === name);
    if (mode !== undefined) return mode;
    throw new Error(`unknown authorization mode "${name}": choose among ${authorizationModes.join(', ')}`);
  });
}

/** The modes in the order given, behind the privileged group. Throws what to tell the operator when that cannot be. */
export function authorizerFor(modes: readonly string[], configured: ConfiguredModes): Authorizer {
  return union([allowMasters, ...readModes(modes).map((mode) => authorizerOf(mode, configured))]);
}

function authorizerOf(mode: AuthorizationMode, configured: ConfiguredModes): Authorizer {
  if (mode === 'AlwaysAllow') return alwaysAllow;
  if (mode === 'AlwaysDeny') return alwaysDeny;
  const authorizer = configured[mode];
  if (!authorizer) throw new Error(`authorization mode "${mode}" is not configured`);
  return authorizer;
}
