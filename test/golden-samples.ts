import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { customResourceDefinition } from '../src/kinds/apiextensions/custom-resource-definition.ts';
import type { Node } from '../src/schema/node.ts';
import { vocabularies } from '../src/vocabulary/vocabulary.ts';
import { declaredTypes } from './declared-types.ts';

const GOLDEN = join(import.meta.dirname, '../../shared/reference/golden');

/** One object with every field filled in, as a server of this interface writes it in JSON and in protobuf. */
export interface GoldenSample {
  readonly name: string;
  readonly schema: Node | undefined;
  readonly object: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** All samples, none where the reference is not there. Those of kinds or versions that are not declared have no schema. */
export async function goldenSamples(): Promise<readonly GoldenSample[]> {
  if (!existsSync(GOLDEN)) return [];
  const declared = new Map(await declaredTypes());
  declared.set('apiextensions.v1.CustomResourceDefinition', customResourceDefinition(vocabularies.kubernetes));
  const files = readdirSync(GOLDEN).filter((file) => file.endsWith('.pb'));
  return files.map((file) => {
    const name = file.slice(0, -'.pb'.length);
    return {
      name,
      schema: typeNames(name)
        .map((type) => declared.get(type))
        .find((node) => node !== undefined),
      object: JSON.parse(readFileSync(join(GOLDEN, `${name}.json`), 'utf8')),
      bytes: readFileSync(join(GOLDEN, file)),
    };
  });
}

/** `rbac.authorization.<domain>.v1.Role` is declared as `rbac.v1.Role`; kinds of every group belong to `meta`. */
export function typeNames(sample: string): string[] {
  const words = sample.split('.');
  const kind = words.slice(-2).join('.');
  const family = words[0] === 'internal' ? 'apiserverinternal' : words[0];
  return [`${family}.${kind}`, `meta.${kind}`];
}
