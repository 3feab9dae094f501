import { describe, expect, it } from 'vitest';
import {
  accessModes,
  age,
  duration,
  firstFew,
  hostPort,
  labels,
  quantity,
  type Selector,
  selector,
  selectorText,
  sortedSet,
} from './printing.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

describe('duration', () => {
  it.each([
    [-2 * SECOND, '<invalid>'],
    [-1999, '0s'],
    [-SECOND, '0s'],
    [-1, '0s'],
    [0, '0s'],
    [999, '0s'],
    [119 * SECOND + 999, '119s'],
    [2 * MINUTE, '2m'],
    [2 * MINUTE + SECOND, '2m1s'],
    [10 * MINUTE - 1, '9m59s'],
    [10 * MINUTE + 59 * SECOND, '10m'],
    [3 * HOUR - 1, '179m'],
    [3 * HOUR, '3h'],
    [3 * HOUR + MINUTE, '3h1m'],
    [8 * HOUR - 1, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [48 * HOUR - 1, '47h'],
    [2 * DAY, '2d'],
    [2 * DAY + HOUR, '2d1h'],
    [8 * DAY - 1, '7d23h'],
    [8 * DAY + 23 * HOUR, '8d'],
    [2 * YEAR - 1, '729d'],
    [2 * YEAR, '2y'],
    [2 * YEAR + DAY, '2y1d'],
    [8 * YEAR - 1, '7y364d'],
    [8 * YEAR + 364 * DAY, '8y'],
  ])('spells %d ms as %s', (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});

describe('age', () => {
  const now = Date.parse('2024-05-01T12:00:00Z');

  it('counts from whole seconds and from microseconds alike', () => {
    expect(age('2024-05-01T11:55:00Z', now)).toBe('5m');
    expect(age('2024-05-01T11:59:30.500000Z', now)).toBe('29s');
  });

  it.each([null, undefined, ''])('is unknown for %j', (unset) => {
    expect(age(unset, now)).toBe('<unknown>');
  });
});

describe('labels', () => {
  it('are sorted as pairs, also when keys look like numbers', () => {
    expect(labels({ b: '2', a: '', 'a-b': '', '10': 'x', '9': 'y' })).toBe('10=x,9=y,a-b=,a=,b=2');
  });

  it.each([null, undefined, {}])('are none for %j', (empty) => {
    expect(labels(empty)).toBe('<none>');
  });
});

describe('selector', () => {
  const expression = (operator: string, ...values: string[]): Selector => ({
    matchExpressions: [{ key: 'k', operator, values }],
  });

  it('puts labels and expressions in the order of their keys', () => {
    const value: Selector = {
      matchLabels: { m: '1', a: '2' },
      matchExpressions: [
        { key: 'z', operator: 'DoesNotExist' },
        { key: 'b', operator: 'In', values: ['y', 'x'] },
      ],
    };
    expect(selector(value)).toBe('a=2,b in (x,y),m=1,!z');
  });

  it.each([
    [expression('In', 'b', 'a'), 'k in (a,b)'],
    [expression('NotIn', 'a'), 'k notin (a)'],
    [expression('Exists'), 'k'],
    [expression('DoesNotExist'), '!k'],
    [expression('In'), '<error>'],
    [expression('NotIn'), '<error>'],
    [expression('Exists', 'a'), '<error>'],
    [expression('DoesNotExist', 'a'), '<error>'],
    [expression('Near', 'a'), '<error>'],
    [{}, '<none>'],
    [undefined, '<none>'],
    [null, '<none>'],
  ])('spells %j as %s', (value, text) => {
    expect(selector(value)).toBe(text);
  });

  it('is empty rather than none where a column wants it so', () => {
    expect(selectorText({})).toBe('');
  });
});

describe('small texts', () => {
  it('abbreviate access modes in a fixed order, each once', () => {
    const modes = ['ReadWriteOncePod', 'ReadWriteMany', 'ReadOnlyMany', 'ReadWriteOnce', 'ReadWriteMany', 'Other'];
    expect(accessModes(modes)).toBe('RWO,ROX,RWX,RWOP');
    expect(accessModes(undefined)).toBe('');
  });

  it('count what they leave out', () => {
    expect(firstFew(['a', 'b', 'c'], 3)).toBe('a,b,c');
    expect(firstFew(['a', 'b', 'c', 'd', 'e'], 3)).toBe('a,b,c + 2 more...');
    expect(firstFew(['a', 'b', 'c'], 2, ', ')).toBe('a, b + 1 more...');
  });

  it('put brackets around addresses with colons', () => {
    expect(hostPort('10.0.0.1', 80)).toBe('10.0.0.1:80');
    expect(hostPort('2001:db8::1', 80)).toBe('[2001:db8::1]:80');
  });

  it('show a missing quantity as zero', () => {
    expect(quantity(undefined)).toBe('0');
    expect(quantity('1Gi')).toBe('1Gi');
  });

  it('show a set once and sorted', () => {
    expect(sortedSet(['b', 'a', 'b'])).toBe('a,b');
  });
});
