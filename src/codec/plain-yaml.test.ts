import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parsePlainYaml } from './plain-yaml.ts';

const CONFIG = `# a comment
apiVersion: v1
kind: Config
clusters:
- name: "a"
  cluster:
    server: "https://127.0.0.1:6443"
    certificate-authority-data: LS0tLS1CRUdJTg==
contexts:
- context:
    cluster: a
    user: admin@a
  name: a
current-context: a
preferences: {}
users:
  - name: admin@a
    user:
      client-key: /a/b.key
      exec:
        command: aws
        args:
        - --region
        - eu
        interactiveMode: IfAvailable
        provideClusterInfo: false
        env: null
`;

describe('plain YAML', () => {
  it('is what client configurations are made of', () => {
    expect(parsePlainYaml(CONFIG.replace('- --region', "- '--region'"))?.value).toEqual(parse(CONFIG));
  });

  it.each([
    'a: &x b',
    'a: *x',
    'a: !!str b',
    'a: |\n  b',
    'a: >\n  b',
    'a: {b: c}',
    'a: [b]',
    'a: b\n---\nc: d',
    'a: b #c',
    'a: "b\\n"',
    "a: 'it''s'",
    'a: 1',
    'a: yes',
    'yes: a',
    'a: b\n  c',
    'a: b\na: c',
    '- - a',
    'a:\n\tb: c',
    '? a\n: b',
    '"a": b',
    '<<: a',
    'a',
    '',
  ])('is not %j, which is left to the library', (text) => {
    expect(parsePlainYaml(text)).toBeUndefined();
  });

  it('means what the library reads, where it is plain', () => {
    const word = fc.string({ unit: fc.constantFrom(...'ab1-_./:@ #\'"yn0~|>&*![]{}') });
    const key = fc.string({ unit: fc.constantFrom(...'abyn-.1'), minLength: 1 });
    const tree = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
      ),
    })).value;
    let plain = 0;
    fc.assert(
      fc.property(tree, fc.boolean(), (object, indentSeq) => {
        const text = stringify(object, { indentSeq });
        const read = parsePlainYaml(text);
        if (read) plain++;
        if (read) expect(read.value).toEqual(parse(text));
      }),
      { numRuns: 500 },
    );
    expect(plain).toBeGreaterThan(20);
  });

  it('means what the library reads, whatever the text is', () => {
    const piece = fc.constantFrom(
      'a',
      'b: ',
      'c:',
      '- ',
      '  ',
      '\n',
      '\n  ',
      '\n- ',
      ' #',
      '"',
      "'",
      ': ',
      'x: y',
      '1',
      'true',
      '{}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        const read = parsePlainYaml(text);
        if (read) expect(read.value).toEqual(parse(text));
      }),
      { numRuns: 3000 },
    );
  });
});
