import { describe, expect, it } from 'vitest';
import { FairLine } from './fair-line.ts';

const all = (line: FairLine<string>): string[] => {
  const taken: string[] = [];
  for (let item = line.take(); item !== undefined; item = line.take()) taken.push(item);
  return taken;
};

describe('a fair line', () => {
  it('lets senders have turns, and keeps the order of each', () => {
    const line = new FairLine<string>({ most: 100, mostOfOne: 10 });
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) line.add(item.charAt(0), item);
    expect(all(line)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('lets one who comes anew go before what others sent in great number, whenever it comes', () => {
    const line = new FairLine<string>({ most: 100, mostOfOne: 10 });
    for (let at = 0; at < 10; at++) line.add('many', `many${at}`);
    expect(line.take()).toBe('many0');
    line.add('one', 'one0');
    expect([line.take(), line.take(), line.take()]).toEqual(['many1', 'one0', 'many2']);
  });

  it('has room for some of each, and for some in all', () => {
    const line = new FairLine<string>({ most: 3, mostOfOne: 2 });
    const added = [line.add('a', '1'), line.add('a', '2'), line.add('a', '3'), line.add('b', '4'), line.add('c', '5')];
    expect(added).toEqual([true, true, false, true, false]);
    expect(line.size).toBe(3);
    expect(all(line)).toEqual(['1', '4', '2']);
    expect([line.size, line.add('a', '6')]).toEqual([0, true]);
  });
});
