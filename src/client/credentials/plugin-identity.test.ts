import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TestAuthority } from '../../../test/support/certificates.ts';
import { credential, PluginFolder, V1, V1_BETA } from '../../../test/support/plugin-folder.ts';
import { ShiftableRuntime } from '../../../test/support/shiftable-runtime.ts';
import type { Connection } from '../../outbound/config.ts';
import type { PluginSettings } from '../../outbound/config-entries.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { vocabularies } from '../../vocabulary/vocabulary.ts';
import { PluginFailure, type PluginFailureReason } from './plugin-failure.ts';
import type { PluginSurroundings } from './plugin-identity.ts';

const { clientCertificate, clientKey } = new TestAuthority('users').client({ commonName: 'carol' });
const other = new TestAuthority('users').client({ commonName: 'dave' });
const TOKEN = credential({ token: 'abc' });

/** What a plugin was given: it puts its input, its arguments and a variable into files. */
async function given(
  settings: Partial<PluginSettings>,
  surroundings: Partial<PluginSurroundings> = {},
  connection?: Connection,
) {
  const folder = await PluginFolder.make();
  const apiVersion = settings.apiVersion ?? V1;
  const name = apiVersion.includes('k8s') ? 'KUBERNETES_EXEC_INFO' : 'PLATFORM_EXEC_INFO';
  const command = await folder.printing(
    credential({ token: 'abc' }, { apiVersion }),
    `cd '${folder.path}'; printf %s "$${name}" > input; printf '%s\\n' "$@" > args; printf %s "$COLOUR" > colour; cat > typed`,
  );
  await folder.identity({ command, ...settings }, surroundings, connection).headers();
  const read = (file: string): Promise<string> => readFile(join(folder.path, file), 'utf8');
  return {
    input: JSON.parse(await read('input')),
    args: await read('args'),
    colour: await read('colour'),
    typed: await read('typed'),
  };
}

describe('a plugin is given', () => {
  it.each([V1, V1_BETA])('an object of %s, the version that is configured', async (apiVersion) => {
    const { input } = await given({ apiVersion });
    expect(input).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });
  });

  it.each(['v1', 'v1beta1'])('the object of %s in the variable of the original vocabulary', async (version) => {
    const apiVersion = `client.authentication.k8s.io/${version}`;
    const { input } = await given({ apiVersion });
    expect(input).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });
  });

  it('its arguments, one by one and as they are', async () => {
    const { args } = await given({ args: ['get-token', '--for', 'a b', "$HOME; 'x'"] });
    expect(args).toBe("get-token\n--for\na b\n$HOME; 'x'\n");
  });

  it('its variables beside those of this process, and instead of them', async () => {
    const environment = { PATH: process.env.PATH, COLOUR: 'red' };
    expect((await given({}, { environment })).colour).toBe('red');
    expect((await given({ env: [{ name: 'COLOUR', value: 'blue' }] }, { environment })).colour).toBe('blue');
    expect((await given({ env: [{ name: 'COLOUR', value: '' }] }, { environment })).colour).toBe('');
  });

  it('no standard input that it could wait for', async () => {
    expect((await given({})).typed).toBe('');
  });

  const cluster: Connection = {
    server: 'https://plane.example:6443',
    ca: 'authority',
    insecureSkipTlsVerify: false,
    token: 'not for plugins',
    extensions: new Map<string, unknown>([
      ['client.authentication.platform.io/exec', { audience: 'x', nested: [1] }],
      ['client.authentication.k8s.io/exec', 'original'],
      ['other', 'secret'],
    ]),
  };

  it('nothing about the cluster unless it is wanted', async () => {
    expect((await given({}, {}, cluster)).input.spec).toEqual({ interactive: false });
  });

  it('where the cluster is, whom to trust and the extension that is meant for it', async () => {
    expect((await given({ provideClusterInfo: true }, {}, cluster)).input.spec.cluster).toEqual({
      server: 'https://plane.example:6443',
      'certificate-authority-data': Buffer.from('authority').toString('base64'),
      config: { audience: 'x', nested: [1] },
    });
  });

  it('the extension under the name of the original vocabulary', async () => {
    const settings = { provideClusterInfo: true, apiVersion: 'client.authentication.k8s.io/v1' };
    const { input } = await given(settings, {}, cluster);
    expect(input.spec.cluster.config).toBe('original');
  });

  it('what else is needed to reach the cluster', async () => {
    const reached = { ...cluster, ca: undefined, extensions: undefined, insecureSkipTlsVerify: true };
    const around = { tlsServerName: 'inner', proxyUrl: 'http://proxy' };
    const { input } = await given({ provideClusterInfo: true }, {}, { ...reached, ...around });
    expect(input.spec.cluster).toEqual({
      server: 'https://plane.example:6443',
      'tls-server-name': 'inner',
      'insecure-skip-tls-verify': true,
      'proxy-url': 'http://proxy',
    });
  });

  it.each([
    ['Never', true, false],
    ['Never', false, false],
    ['IfAvailable', true, true],
    ['IfAvailable', false, false],
    ['Always', true, true],
    [undefined, true, true],
    [undefined, false, false],
  ] as const)(
    'with interactiveMode %s, terminal %s: interactive %s',
    async (interactiveMode, hasTerminal, expected) => {
      const folder = await PluginFolder.make();
      const output = credential({ token: 'abc' }, { apiVersion: V1_BETA });
      const command = await folder.printing(output, `printf %s "$PLATFORM_EXEC_INFO" > '${folder.path}/input'`);
      await folder.identity({ command, interactiveMode, apiVersion: V1_BETA }, { hasTerminal }).headers();
      expect(JSON.parse(await readFile(join(folder.path, 'input'), 'utf8')).spec).toEqual({ interactive: expected });
    },
  );
});

describe('a credential', () => {
  it('is a token', async () => {
    const folder = await PluginFolder.make();
    const identity = folder.identity({ command: await folder.printing(TOKEN) });
    expect(await identity.headers()).toEqual({ authorization: 'Bearer abc' });
    expect(await identity.certificate()).toBeUndefined();
  });

  it('is a certificate with its key', async () => {
    const folder = await PluginFolder.make();
    const status = { clientCertificateData: clientCertificate, clientKeyData: clientKey };
    const identity = folder.identity({ command: await folder.printing(credential(status)) });
    expect(await identity.certificate()).toEqual({ certificate: clientCertificate, key: clientKey });
    expect(await identity.headers()).toEqual({});
    expect(await folder.runs()).toBe(1);
  });

  it('may be both, in v1beta1 too, with intermediates, empty fields and fields that nobody knows', async () => {
    const folder = await PluginFolder.make();
    const status = {
      token: 'abc',
      clientCertificateData: clientCertificate + new TestAuthority('middle').pem,
      clientKeyData: clientKey,
      expirationTimestamp: null,
      more: true,
    };
    const output = credential(status, { apiVersion: V1_BETA, spec: {} });
    const identity = folder.identity({ command: await folder.printing(output), apiVersion: V1_BETA });
    expect(await identity.headers()).toEqual({ authorization: 'Bearer abc' });
    expect(await identity.certificate()).toMatchObject({ certificate: status.clientCertificateData });
  });

  it('may be printed as YAML', async () => {
    const folder = await PluginFolder.make();
    const output = `apiVersion: ${V1}\nkind: ExecCredential\nstatus:\n  token: abc\n  expirationTimestamp: 2999-01-01T00:00:00Z\n`;
    const identity = folder.identity({ command: await folder.printing(output) });
    expect(await identity.headers()).toEqual({ authorization: 'Bearer abc' });
  });

  it('goes with the certificate and the impersonation that are configured', async () => {
    const folder = await PluginFolder.make();
    const connection: Connection = {
      server: 'https://plane.example',
      insecureSkipTlsVerify: false,
      clientCertificate,
      clientKey,
      impersonate: { user: 'jane', uid: undefined, groups: [], extra: {} },
    };
    const identity = folder.identity({ command: await folder.printing(TOKEN) }, {}, connection);
    expect(await identity.headers()).toEqual({ authorization: 'Bearer abc', 'Impersonate-User': 'jane' });
    expect(await identity.certificate()).toEqual({ certificate: clientCertificate, key: clientKey });
  });
});

describe('a credential is kept', () => {
  const asked = async (expirationTimestamp?: string) => {
    const runtime = new ShiftableRuntime();
    const folder = await PluginFolder.make();
    const command = await folder.printing(credential({ token: 'first', expirationTimestamp }));
    const identity = folder.identity({ command }, { runtime });
    expect(await identity.headers()).toEqual({ authorization: 'Bearer first' });
    return { runtime, folder, identity };
  };
  const inAnHour = (): string => new Date(systemRuntime.now() + 3_600_000).toISOString();

  it('until its time is over, and then asked for once more', async () => {
    const { runtime, folder, identity } = await asked(inAnHour());
    runtime.advance(3_500_000);
    await identity.headers();
    expect(await folder.runs()).toBe(1);
    await folder.say(credential({ token: 'second' }));
    runtime.advance(200_000);
    expect(await identity.headers()).toEqual({ authorization: 'Bearer second' });
    expect(await folder.runs()).toBe(2);
  });

  it('for as long as the process runs when it has no time', async () => {
    const { runtime, folder, identity } = await asked();
    runtime.advance(365 * 24 * 3_600_000);
    await identity.headers();
    expect(await folder.runs()).toBe(1);
  });

  it.each(['with', 'without'])('until it is refused, %s a time of its own', async (which) => {
    const { folder, identity } = await asked(which === 'with' ? inAnHour() : undefined);
    const shown = await identity.headers();
    await folder.say(credential({ token: 'second' }));
    identity.refused(shown);
    expect(await identity.headers()).toEqual({ authorization: 'Bearer second' });
    expect(await folder.runs()).toBe(2);
  });

  it('when a refusal comes that is about the one before', async () => {
    const { folder, identity } = await asked();
    const shown = await identity.headers();
    await folder.say(credential({ token: 'second' }));
    for (let late = 0; late < 5; late++) {
      identity.refused(shown);
      await identity.headers();
    }
    expect(await folder.runs()).toBe(2);
  });

  it('by two hundred that wait for it at once, and a failure is theirs together', async () => {
    const folder = await PluginFolder.make();
    const identity = folder.identity({ command: await folder.printing(credential({})) });
    const all = () =>
      Promise.allSettled(Array.from({ length: 100 }, () => [identity.headers(), identity.certificate()]).flat());
    const failed = await all();
    expect(new Set(failed.map((each) => each.status === 'rejected' && each.reason.message)).size).toBe(1);
    expect(await folder.runs()).toBe(1);
    await folder.say(TOKEN);
    expect((await all()).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await folder.runs()).toBe(2);
  });

  it('whatever became of another certificate', async () => {
    const { folder, identity } = await asked();
    await folder.say(credential({ clientCertificateData: clientCertificate, clientKeyData: clientKey }));
    identity.refused();
    expect(await identity.certificate()).toEqual({ certificate: clientCertificate, key: clientKey });
    await folder.say(credential({ clientCertificateData: other.clientCertificate, clientKeyData: other.clientKey }));
    identity.refused();
    expect(await identity.certificate()).toEqual({ certificate: other.clientCertificate, key: other.clientKey });
  });
});

describe('the program', () => {
  it('is found by its name on the PATH of this process, in the first folder where it can be run', async () => {
    const folder = await PluginFolder.make();
    const places = ['blocked', 'folder', 'good', 'later'].map((name) => join(folder.path, name));
    for (const place of places) await mkdir(place);
    const print = (token: string) => `printf '%s' '${credential({ token })}'`;
    await chmod(await folder.script('blocked/login', print('blocked')), 0o644);
    await mkdir(join(folder.path, 'folder', 'login'));
    await folder.script('good/login', print('good'));
    await folder.script('later/login', print('later'));
    const environment = { PATH: ['', 'relative', ...places, '/bin', '/usr/bin'].join(delimiter) };
    const identity = folder.identity({ command: 'login', env: [{ name: 'PATH', value: '/nowhere' }] }, { environment });
    expect(await identity.headers()).toEqual({ authorization: 'Bearer good' });
  });

  it('may write to its user, which is no part of the credential', async () => {
    const folder = await PluginFolder.make();
    const identity = folder.identity({ command: await folder.printing(TOKEN, 'echo "look at your telephone" >&2') });
    expect(await identity.headers()).toEqual({ authorization: 'Bearer abc' });
  });
});

const SECRET = 'sEcReT-0123456789';
const SOON = '2001-01-01T00:00:00Z';
const HINT = 'Install it.';

describe.each<[what: string, output: string, reason: PluginFailureReason, message: string]>([
  ['nothing', '', 'Unreadable', 'printed nothing'],
  ['empty lines', '\n\n', 'Unreadable', 'printed nothing'],
  ['a bare secret', SECRET, 'Unreadable', 'printed something that is neither JSON nor YAML of an object'],
  ['broken JSON', `{"token": "${SECRET}`, 'Unreadable', 'printed something that is neither JSON nor YAML of an object'],
  ['a list', `["${SECRET}"]`, 'Unreadable', 'printed something that is neither JSON nor YAML of an object'],
  ['a nest', '['.repeat(200_000), 'Unreadable', 'printed something that is neither JSON nor YAML of an object'],
  [
    'another kind',
    credential({ token: SECRET }, { kind: SECRET }),
    'Unreadable',
    'printed an object that is no ExecCredential',
  ],
  [
    'another version',
    credential({ token: SECRET }, { apiVersion: V1_BETA }),
    'Unreadable',
    `printed an object of ${V1_BETA}, but ${V1} is configured`,
  ],
  [
    'no version',
    credential({ token: SECRET }, { apiVersion: undefined }),
    'Unreadable',
    `printed an object without apiVersion, but ${V1} is configured`,
  ],
  [
    'a secret for a version',
    credential({}, { apiVersion: SECRET }),
    'Unreadable',
    `printed an object of another apiVersion, but ${V1} is configured`,
  ],
  ['no status', credential(undefined), 'Unusable', 'printed an ExecCredential without a status'],
  ['a text for a status', credential(SECRET), 'Unusable', 'printed an ExecCredential without a status'],
  ['an empty status', credential({ token: '' }), 'Unusable', 'gave neither a token nor a certificate'],
  ['a token that is a number', credential({ token: 7 }), 'Unusable', 'printed a status.token that is no text'],
  [
    'two lines for a token',
    credential({ token: `${SECRET}\nx` }),
    'Unusable',
    'gave a token with characters that cannot be sent',
  ],
  [
    'a certificate alone',
    credential({ token: SECRET, clientCertificateData: clientCertificate }),
    'Unusable',
    'gave a certificate without its key',
  ],
  ['a key alone', credential({ clientKeyData: clientKey }), 'Unusable', 'gave a key without its certificate'],
  [
    'no certificate',
    credential({ clientCertificateData: SECRET, clientKeyData: clientKey }),
    'Unusable',
    'gave a certificate that is no PEM certificate',
  ],
  [
    'no key',
    credential({ clientCertificateData: clientCertificate, clientKeyData: SECRET }),
    'Unusable',
    'gave a key that is no PEM private key',
  ],
  [
    'the key of another',
    credential({ clientCertificateData: clientCertificate, clientKeyData: other.clientKey }),
    'Unusable',
    'gave a certificate and a key that do not belong together',
  ],
  [
    'a time that is none',
    credential({ token: SECRET, expirationTimestamp: 'tomorrow' }),
    'Unusable',
    'gave an expirationTimestamp that is no RFC 3339 time',
  ],
  [
    'what has expired',
    credential({ token: SECRET, expirationTimestamp: SOON }),
    'Expired',
    'gave a credential that expired at 2001-01-01T00:00:00.000Z',
  ],
])('a plugin that prints %s', (_what, output, reason, message) => {
  it(`fails: ${message}`, async () => {
    const folder = await PluginFolder.make();
    const command = await folder.printing(output);
    const identity = folder.identity({
      command,
      args: [SECRET],
      env: [{ name: 'KEY', value: SECRET }],
      installHint: HINT,
    });
    const failure = new PluginFailure(reason, `credential plugin ${command}: ${message}`);
    await expect(identity.headers()).rejects.toThrow(failure);
    await expect(identity.headers()).rejects.toMatchObject({ reason });
    expect(await folder.runs()).toBe(2);
  });
});

describe('a plugin that', () => {
  const failing = async (
    body: string,
    settings: Partial<PluginSettings> = {},
    surroundings: Partial<PluginSurroundings> = {},
  ): Promise<string> => {
    const folder = await PluginFolder.make();
    const command = await folder.script('plugin', body);
    const identity = folder.identity({ command, ...settings }, surroundings);
    const error = await identity.headers().then(
      () => new Error('succeeded'),
      (failure: Error) => failure,
    );
    expect(error).toBeInstanceOf(PluginFailure);
    return error.message.replace(folder.path, '');
  };

  it('is missing on the PATH is told of with the hint on how to install it', async () => {
    expect(await failing('', { command: 'no-such-login' })).toBe(
      'credential plugin no-such-login: there is no such program on the PATH',
    );
    expect(
      await failing('', { command: 'no-such-login', installHint: 'Get it at https://login.example\u001b[2J' }),
    ).toBe('credential plugin no-such-login: there is no such program on the PATH: Get it at https://login.example[2J');
  });

  it('is missing at its path is told of with the hint, too', async () => {
    expect(await failing('', { command: '/nowhere/login', installHint: 'Ask Jane.' })).toBe(
      'credential plugin /nowhere/login: there is no such program: Ask Jane.',
    );
  });

  it('cannot be executed, or has no interpreter, is told of as that', async () => {
    const folder = await PluginFolder.make();
    const file = join(folder.path, 'plain');
    await writeFile(file, 'text');
    expect(await failing('', { command: file })).toBe(`credential plugin ${file}: is not executable`);
    const stray = await folder.script('stray', '', '/nowhere/interpreter');
    expect(await failing('', { command: stray })).toBe(
      `credential plugin ${stray}: cannot be started: its interpreter is missing`,
    );
  });

  it('cannot be started with its arguments is told of without them', async () => {
    expect(await failing('', { args: [`${SECRET}\0`] })).toBe(
      'credential plugin /plugin: cannot be started (ERR_INVALID_ARG_VALUE)',
    );
    expect(await failing('', { args: [SECRET.repeat(100_000)] })).toBe(
      'credential plugin /plugin: cannot be started (E2BIG)',
    );
  });

  it.each([1, 3, 127])('ends with exit code %i is told of with the code, whatever it printed', async (code) => {
    expect(await failing(`echo '${TOKEN}'; echo ${SECRET} >&2; exit ${code}`)).toBe(
      `credential plugin /plugin: failed with exit code ${code}`,
    );
  });

  it('is killed is told of with the signal', async () => {
    expect(await failing('kill -9 $$')).toBe('credential plugin /plugin: was ended by SIGKILL');
  });

  it('hangs is ended, and told of when its time is over', async () => {
    const folder = await PluginFolder.make();
    const runtime = new ShiftableRuntime();
    const pidFile = join(folder.path, 'pid');
    const command = await folder.script('plugin', `echo $$ > '${pidFile}'; exec sleep 1000`);
    const identity = folder.identity({ command }, { runtime, timeoutMs: 60_000 });
    const failed = expect(identity.headers()).rejects.toThrow(
      new PluginFailure('TimedOut', `credential plugin ${command}: did not end within 60 s`),
    );
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => ''), { timeout: 20_000 }).toMatch(/\d\n/);
    runtime.advance(60_001);
    await failed;
    const running = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isRunning(running), { timeout: 20_000 }).toBe(false);
  });

  it('hangs and does not listen is killed', async () => {
    const folder = await PluginFolder.make();
    const runtime = new ShiftableRuntime();
    const pidFile = join(folder.path, 'pid');
    const body = `trap '' TERM; echo $$ > '${pidFile}'; while :; do sleep 0.1; done`;
    const identity = folder.identity({ command: await folder.script('plugin', body) }, { runtime, timeoutMs: 60_000 });
    const failed = expect(identity.headers()).rejects.toMatchObject({ reason: 'TimedOut' });
    await expect.poll(() => readFile(pidFile, 'utf8').catch(() => ''), { timeout: 20_000 }).toMatch(/\d\n/);
    runtime.advance(60_001);
    await failed;
    runtime.advance(10_000);
    const running = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isRunning(running), { timeout: 20_000 }).toBe(false);
  });

  it('prints without end is ended, and told of', async () => {
    expect(await failing(`exec yes ${SECRET}`)).toBe('credential plugin /plugin: printed more than 1048576 bytes');
  });

  it('needs a terminal does not run without one', async () => {
    expect(await failing('exit 1', { interactiveMode: 'Always' })).toBe(
      'credential plugin /plugin: needs to ask its user, and standard input is not a terminal',
    );
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a plugin that is configured', () => {
  const making = async (settings: Partial<PluginSettings>, vocabulary = vocabularies.platform) => {
    const folder = await PluginFolder.make();
    return () => folder.identity({ command: 'login', ...settings }, { vocabularies: [vocabulary] });
  };

  it('for another version, or for that of the other vocabulary, is refused before it is run', async () => {
    for (const apiVersion of ['client.authentication.k8s.io/v1', 'client.authentication.platform.io/v1alpha1', 'v1']) {
      expect(await making({ apiVersion })).toThrow(
        new PluginFailure(
          'Misconfigured',
          `credential plugin login: apiVersion ${apiVersion} is not supported; there are ${V1}, ${V1_BETA}`,
        ),
      );
    }
    expect(await making({}, vocabularies.kubernetes)).toThrow('there are client.authentication.k8s.io/v1, client');
  });

  it('without interactiveMode is refused in v1', async () => {
    expect(await making({ interactiveMode: undefined })).toThrow(
      `credential plugin login: interactiveMode is required in ${V1}: Never, IfAvailable or Always`,
    );
  });
});
