import { CommandError } from '../../frame/failure.ts';

/** `cpu=1,memory=2Gi` as an object; the plane judges the quantities. */
export function quantities(text: string): Record<string, string> {
  if (text === '') return {};
  const pairs = text.split(',').map((pair): [string, string] => {
    const [resource = '', quantity = '', ...more] = pair.split('=');
    if (resource === '' || quantity === '' || more.length > 0) {
      throw new CommandError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
    }
    return [resource, quantity];
  });
  return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
}
