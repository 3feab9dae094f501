/**
 * A line of the JSON log as people read it: time, level, message, then the fields in their order, and below an error the
 * calls that led to it. Whatever clients can put into a field stays on its line and cannot steer a terminal.
 */
export function textLine(json: string): string {
  const { time, level, msg, err, ...fields }: Record<string, unknown> = JSON.parse(json);
  const pairs = Object.entries({ ...fields, ...errorField(err) })
    .filter(([, value]) => value !== undefined && value !== null && value !== '')
    .map(([name, value]) => `${plain(name)}=${valueText(value)}`);
  const head = [String(time), String(level).padEnd(5), plain(String(msg)), ...pairs].join(' ');
  return `${[head, ...stackLines(level, err)].join('\n')}\n`;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const errorField = (err: unknown): object => (err === undefined ? {} : { error: memberOf(err, 'message') ?? err });

/** Only defects: of what is tried again, or was refused, the message says enough. */
function stackLines(level: unknown, err: unknown): string[] {
  const stack = memberOf(err, 'stack');
  if (level !== 'error' || typeof stack !== 'string') return [];
  const calls = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return calls.map((line) => `    ${plain(line.trim())}`);
}

/** Bare where that can be taken for nothing else, otherwise as a JSON string. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./:@+,;*?&%-][\w./:@+,;*?&%=-]*$/.test(text)
    ? text
    : plain(typeof value === 'string' ? JSON.stringify(value) : text);
}

/** Control characters, and those that turn the direction of writing or begin a line, are shown by their number. */
const plain = (text: string): string =>
  text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
