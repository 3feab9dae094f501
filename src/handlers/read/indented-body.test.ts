import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWhole } from '../../http/whole-body.ts';
import { IndentedBody } from './indented-body.ts';

/** Reads a body through one buffer that is used again and again, as the listener does. */
function pieced(body: IndentedBody, scratch: Buffer): string {
  let text = '';
  while (!body.done) text += body.next(scratch.fill('?')).toString('latin1');
  return text;
}

describe('JSON for people', () => {
  it('is laid out as everyone does it, in one piece or in many, and as long as it says', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 40, max: 400 }), (value, room) => {
        const json = Buffer.from(JSON.stringify(value));
        const expected = `${JSON.stringify(value, null, 2)}\n`;
        expect(new IndentedBody(json).length).toBe(Buffer.byteLength(expected));
        expect(readWhole(new IndentedBody(json)).toString()).toBe(expected);
        expect(Buffer.from(pieced(new IndentedBody(json), Buffer.alloc(room)), 'latin1').toString()).toBe(expected);
      }),
    );
  });

  it('keeps what strings hold, and lays out anew what came with blanks of its own', () => {
    const json = Buffer.from('{ "a" :\n\t[ 1 ,{ } ,[\r\n] ] ,"b\\"{,":"x: [\\\\" }');
    const expected = '{\n  "a": [\n    1,\n    {},\n    []\n  ],\n  "b\\"{,": "x: [\\\\"\n}\n';
    expect(readWhole(new IndentedBody(json)).toString()).toBe(expected);
  });
});
