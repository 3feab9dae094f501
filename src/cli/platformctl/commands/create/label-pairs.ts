import { CommandError } from '../../frame/failure.ts';

/** `a=b,c=d` as an object. */
export function labelPairs(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair): [string, string] => {
    const [key = '', value, ...more] = pair.split('=');
    if (key === '' || value === undefined || more.length > 0) {
      throw new CommandError(`unexpected label spec: ${text}`);
    }
    return [key, value];
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
