import { describe, expect, it } from 'vitest';
import { describedLike } from './described-like.ts';
import { int32, int64, string } from './scalars.ts';
import { f, struct } from './schema.ts';

describe('fields described like those of another type', () => {
  const Newer = struct('Newer', {
    name: f(1, string(), 'What it is called.'),
    size: f(2, int64(), 'How large it is.'),
  });
  const fields = describedLike(Newer, {
    name: f(7, string().required()),
    size: f(2, int32(), 'Its length.'),
    colour: f(3, string()),
  });

  it('take over descriptions by name, and nothing else', () => {
    expect(fields.name).toMatchObject({ number: 7, inline: false, description: 'What it is called.' });
    expect(fields.name.node.facts.required).toBe(true);
  });

  it('keep their own description where they have one', () => {
    expect(fields.size.description).toBe('Its length.');
  });

  it('have none where the other type has no such field', () => {
    expect(fields.colour.description).toBeUndefined();
  });
});
