import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { readSettings } from './command-line.ts';
import { readConfiguredLine, writeConfig } from './config-file.ts';
import { UsageError } from './flag.ts';
import { DEFAULT_SETTINGS, FLAG_ROWS } from './settings.ts';

async function fileWith(text: string): Promise<string> {
  const file = join(await temporaryDirectory(), 'config.yaml');
  await writeFile(file, text);
  return file;
}

const settingsOf = async (text: string, ...args: string[]) =>
  (await readConfiguredLine([`--config=${await fileWith(text)}`, ...args])).settings;

/** A value of each sort of flag that is not its default, on a command line. */
const SAMPLES: Readonly<Record<string, string>> = {
  'true|false': 'true',
  N: '1',
  SIZE: '512MiB',
  DURATION: '1h30m0.5s',
  'NAME=true|false,...': 'AllAlpha=true,AllBeta=false',
  'KEY[=true|false],...': 'api/beta=false',
  'CERT,KEY[:NAMES]': 'a.crt,a.key:a.example',
};

function sampleFor({ name, value, fallback }: (typeof FLAG_ROWS)[number][1]): string {
  if (value === 'true|false') return String(!fallback);
  if (name === 'goaway-chance') return '0.01';
  if (value === 'N' && fallback === 1) return '2';
  return SAMPLES[value] ?? (/^[\w.-]+(\|[\w.-]+)+$/.test(value) ? (value.split('|').at(-1) ?? '') : '1.30');
}

describe('a configuration file', () => {
  it.each(FLAG_ROWS.map(([option, flag]) => [flag.name, option, flag] as const))(
    'sets --%s as the command line does, and is written as it is read',
    async (name, option, flag) => {
      const expected = readSettings([`--${name}=${sampleFor(flag)}`]);
      expect(Reflect.get(expected, option)).not.toEqual(flag.fallback);
      const written = await writeConfig(expected);
      expect(written).toMatch(new RegExp(`^"?${name}"?:`, 'm'));
      expect(await settingsOf(written)).toEqual(expected);
    },
  );

  it('has natural lists and maps', async () => {
    const text = `
secure-port: 0
authorization-mode: [Node, RBAC]
cors-allowed-origins:
  - '^https://[a-z]{1,3}\\.example$'
feature-gates: { AllAlpha: true, AllBeta: false }
runtime-config: [api/all]
history-memory: 1048576
event-ttl: 0
anonymous-auth: off
`;
    expect(await settingsOf(text)).toEqual({
      ...DEFAULT_SETTINGS,
      securePort: 0,
      authorizationMode: ['Node', 'RBAC'],
      corsAllowedOrigins: ['^https://[a-z]{1,3}\\.example$'],
      featureGates: ['AllAlpha=true', 'AllBeta=false'],
      runtimeConfig: ['api/all'],
      historyMemory: 1048576,
      eventTtl: 0,
      anonymousAuth: false,
    });
  });

  it('counts less than the command line, whose lists do not add to its own', async () => {
    const text = 'authorization-mode: [Node, RBAC]\nsecure-port: 1\nv: 3\n';
    const { settings, given } = await readConfiguredLine(
      ['--secure-port=2', '--authorization-mode=AlwaysDeny', '--config', await fileWith(text)],
      { defaults: { storage: 'memory', v: 4 } },
    );
    expect(settings).toEqual({
      ...DEFAULT_SETTINGS,
      securePort: 2,
      authorizationMode: ['AlwaysDeny'],
      v: 3,
      storage: 'memory',
    });
    expect([...given].sort()).toEqual(['authorizationMode', 'securePort', 'v']);
  });

  it('that is empty sets nothing', async () => {
    expect(await settingsOf('# nothing\n')).toEqual(DEFAULT_SETTINGS);
  });

  it.each([
    ['secure-prot: 1', 'there is no flag --secure-prot; --help lists all'],
    ['config: other.yaml', 'there is no flag --config'],
    ['__proto__: 1', 'there is no flag --__proto__'],
    ['secure-port: "1"', '--secure-port must be a whole number from 0 to 65535, not "1"'],
    ['secure-port: 65536', '--secure-port must be a whole number from 0 to 65535, not 65536'],
    ['anonymous-auth: "no"', '--anonymous-auth must be true or false, not "no"'],
    ['bind-address:', '--bind-address must be a text that is not empty, not null'],
    ['bind-address: ""', '--bind-address needs a value'],
    ['emulated-version: 1.25', '--emulated-version must be one of'],
    ['authorization-mode: RBAC', '--authorization-mode must be a list of texts, not "RBAC"'],
    ['feature-gates: { AllAlpha: maybe }', '--feature-gates must be a map of names to true or false'],
    ['event-ttl: 5', '--event-ttl must be a duration such as 30s, 5m or 1h30m, not 5'],
    ['event-ttl: 5x', '--event-ttl must be a duration such as 30s, 5m or 1h30m, not "5x"'],
    ['storage: floppy', '--storage must be one of lmdb, memory, etcd, not "floppy"'],
    ['v: 1\nv: 2', 'v stands there twice'],
    ['- v', 'it must hold a map of flags to values'],
    ['v: [', 'it is not valid YAML'],
    [`a: ${'['.repeat(20)}${']'.repeat(20)}`, 'nests deeper than 8 levels'],
    [`api-audiences: [${'a,'.repeat(20_000)}]`, '10000'],
    [`# ${'x'.repeat(1 << 20)}`, 'it is larger than 1048576 bytes'],
  ])('with %.40j is refused', async (text, reason) => {
    const file = await fileWith(text);
    const read = readConfiguredLine([`--config=${file}`]);
    await expect(read).rejects.toThrow(UsageError);
    await expect(read).rejects.toThrow(reason);
    await expect(read).rejects.toThrow(file);
  });

  it('that is not there is refused by its name', async () => {
    await expect(readConfiguredLine(['--config=/nowhere/config.yaml'])).rejects.toThrow('/nowhere/config.yaml: ENOENT');
  });
});

it('settings are shown without the passwords of addresses', async () => {
  const shown = await writeConfig(readSettings(['--etcd-servers=https://me:hush@a:1,https://b:2']));
  expect(shown).not.toContain('hush');
  expect(shown).toContain('https://***@a:1');
});
