import { describe, expect, it } from 'vitest';
import { isStored, type ResourceType } from '../registry/resource-type.ts';
import { vocabularies } from '../vocabulary/vocabulary.ts';
import { builtInTypes } from './built-in.ts';

/** Kinds without a `validate` hook, and why they need none. */
const WITHOUT_RULES: Readonly<Record<string, string>> = {
  ServiceAccount: 'its fields are free; what it refers to may come later',
};

/** The rules for an object that is sent in this version are those of the stored one. */
const rulesFor = (type: ResourceType): ResourceType => type.conversion?.hub ?? type;

describe('built-in kinds', () => {
  it('are held against rules of their own when they are stored, or are known to need none', () => {
    const without = builtInTypes(vocabularies.platform)
      .filter(isStored)
      .filter((type) => !rulesFor(type).validate)
      .map(({ kind }) => kind);
    expect(without.sort()).toEqual(Object.keys(WITHOUT_RULES).sort());
  });
});
