import { type Policy, readPolicy } from './policy.ts';

/**
 * The policies of a file, one a line; empty lines and those that begin with # do not count. Throws one line that says
 * where in `file` something is wrong, and what.
 */
export function readPolicies(text: string, file: string, apiGroup: string): Policy[] {
  return text.split('\n').flatMap((line, at) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    try {
      return readPolicy(trimmed, apiGroup);
    } catch (error) {
      throw new Error(`${file}:${at + 1}: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}
