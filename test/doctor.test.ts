import { chmod, open, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../src/cli/doctor/finding.ts';
import { TestAuthority } from './support/certificates.ts';
import { http1Client } from './support/client.ts';
import { type Command, endCommands, runCommand, startCommand } from './support/command.ts';
import { insist } from './support/patience.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** `platform-apiserver doctor`, as people run it. */

let directory: string;

beforeEach(async () => {
  directory = await temporaryDirectory();
});

afterEach(endCommands);

async function examine(...args: string[]) {
  const { code, stdout, stderr } = await runCommand(directory, 'doctor', '-o', 'json', '--sample=200ms', ...args);
  expect(stderr).toBe('');
  const { isSound, findings }: { isSound: boolean; findings: Finding[] } = JSON.parse(stdout);
  expect(code).toBe(isSound ? 0 : 1);
  const wrong = findings.filter(({ level }) => level !== 'ok');
  for (const { advice } of wrong) expect(advice).toMatch(/\w{3}/);
  return { code, findings, wrong };
}

async function started(...args: string[]): Promise<Command> {
  const command = startCommand(directory, ...args);
  await command.ready();
  return command;
}

/** A data directory that a server has left in order. */
async function leftBehind(): Promise<void> {
  const command = await started();
  command.signal('SIGTERM');
  await command.exit;
}

const subjectsOf = (findings: readonly Finding[]): string[] =>
  [...new Set(findings.map(({ subject }) => subject))].sort();

describe('a data directory', () => {
  it('in order is told so, with what was looked at', async () => {
    await leftBehind();
    const { code, findings, wrong } = await examine();
    // The disk of a machine that runs tests may be nearly full.
    expect(wrong.filter(({ subject }) => subject !== 'disk')).toEqual([]);
    expect(subjectsOf(findings)).toEqual(['certificates', 'clock', 'connection', 'disk', 'store']);
    expect(findings.find(({ subject }) => subject === 'store')?.message).toMatch(
      /^\d+ objects as of revision \d+ were read/,
    );
    if (wrong.length === 0) expect(code).toBe(0);
  });

  it('with a store that is damaged says so, whichever object it is', async () => {
    await leftBehind();
    const file = await open(join(directory, '.platform', 'store', 'data.mdb'), 'r+');
    const { size } = await file.stat();
    // Every page but the first two, which say what the file is.
    for (let at = 2 * 4096; at < size; at += 4096) await file.write(Buffer.from([0xff, 0xff]), 0, 2, at + 2000);
    await file.close();
    const { wrong } = await examine();
    expect(wrong).toContainEqual(expect.objectContaining({ subject: 'store', level: 'problem' }));
  });

  it('with certificates and keys that are not in order says which', async () => {
    await leftBehind();
    const pki = join(directory, '.platform', 'pki');
    const short = new TestAuthority('short');
    await writeFile(join(pki, 'admin.crt'), short.client({ commonName: 'short' }).clientCertificate);
    await writeFile(join(pki, 'apiserver.crt'), 'no certificate');
    await chmod(join(pki, 'sa.key'), 0o644);
    const { wrong } = await examine();
    expect(wrong.filter(({ subject }) => subject === 'certificates')).toEqual([
      expect.objectContaining({ level: 'problem', message: expect.stringContaining('apiserver.crt: holds no PEM') }),
      expect.objectContaining({ level: 'problem', message: expect.stringMatching(/sa\.key can be read by others/) }),
      expect.objectContaining({ level: 'warning', message: expect.stringMatching(/admin\.crt .*ends on .*in 0 days/) }),
    ]);
  });

  it('from the future says that the clock is wrong', async () => {
    await leftBehind();
    const later = new Date(Date.now() + 86_400_000);
    await utimes(join(directory, '.platform', 'admin.conf'), later, later);
    expect((await examine()).wrong).toContainEqual(expect.objectContaining({ subject: 'clock', level: 'problem' }));
  });

  it('that is not there is a problem', async () => {
    const { wrong } = await examine('--data-dir=nowhere');
    expect(wrong).toMatchObject([{ subject: 'data', message: 'there is no nowhere' }]);
    expect(await readdir(directory)).toEqual([]);
  });

  it('is looked at while its server runs, together with that', async () => {
    await started();
    const { findings, wrong } = await examine();
    expect(wrong.filter(({ subject }) => subject !== 'disk')).toEqual([]);
    expect(subjectsOf(findings)).toEqual(
      ['apiservices', 'certificates', 'clock', 'disk', 'health', 'store', 'webhooks', 'writers'].sort(),
    );
  });
});

describe('a plane', () => {
  it('that does not answer is a problem', async () => {
    await leftBehind();
    const { wrong } = await examine('--kubeconfig=.platform/admin.conf');
    expect(wrong).toMatchObject([{ subject: 'connection', level: 'problem' }]);
  });

  it('tells of webhooks that fail, APIServices that are away and writers that do not rest', async () => {
    const command = await started('--storage=memory');
    const client = http1Client(await command.connection());
    onTestFinished(() => client.close());
    const nowhere = 'https://127.0.0.1:1/';
    const hook = (name: string, failurePolicy: string) => ({
      metadata: { name },
      webhooks: [
        {
          name: `${name}.example.com`,
          clientConfig: { url: nowhere },
          rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['secrets'] }],
          failurePolicy,
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
          timeoutSeconds: 1,
        },
      ],
    });
    const hooks = '/apis/admissionregistration.platform.io/v1/validatingwebhookconfigurations';
    expect((await client.request('POST', hooks, hook('strict', 'Fail'))).status).toBe(201);
    await insist(async () => {
      const refused = await client.request('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 's' } });
      expect(refused.status).toBe(500);
    });
    const service = {
      metadata: { name: 'v1.away.example.com' },
      spec: {
        group: 'away.example.com',
        version: 'v1',
        service: { namespace: 'default', name: 'away' },
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    };
    const services = '/apis/apiregistration.platform.io/v1/apiservices';
    expect((await client.request('POST', services, service)).status).toBe(201);
    await insist(async () => {
      const { body } = await client.request('GET', `${services}/v1.away.example.com`);
      expect(JSON.stringify(body)).toContain('"False"');
    });
    const maps = '/api/v1/namespaces/default/configmaps';
    let isOver = false;
    const busy = (async () => {
      await client.request('POST', `${maps}?fieldManager=restless`, { metadata: { name: 'hot' }, data: { turn: '' } });
      for (let turn = 0; !isOver; turn++) {
        const path = `${maps}/hot?fieldManager=restless`;
        await client.request('PUT', path, { metadata: { name: 'hot' }, data: { turn: String(turn) } });
      }
    })();
    const { wrong } = await examine('--kubeconfig=.platform/admin.conf').finally(() => {
      isOver = true;
    });
    await busy;
    expect(wrong.map(({ subject, message }) => `${subject}: ${message}`).sort()).toEqual([
      expect.stringMatching(/^apiservices: v1\.away\.example\.com is not available \(/),
      expect.stringMatching(/^webhooks: strict\.example\.com could not be asked, and \d+ requests were refused/),
      expect.stringMatching(
        /^writers: configmaps are written [\d.]+ times a second, lately default\/hot by "restless"$/,
      ),
    ]);
  });
});

describe('the page for people', () => {
  it('has a line for each finding, the worst first, with what to do', async () => {
    await leftBehind();
    await rename(join(directory, '.platform', 'pki', 'ca.crt'), join(directory, '.platform', 'pki', 'ca.crt.away'));
    await chmod(join(directory, '.platform', 'pki', 'sa.key'), 0o604);
    const { code, stdout } = await runCommand(directory, 'doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^problem {2}certificates {2}\S+sa\.key can be read by others\n +-> chmod 600 /);
    expect(stdout).toMatch(/\n1 problems, \d warnings, \d+ in order\n$/);
  });

  it.each([
    [['--data-dir=a', '--kubeconfig=b'], 'doctor looks at one thing'],
    [['-o', 'xml'], '--output must be one of text, json, not "xml"'],
    [['--sample=1h'], '--sample must be at most 10m'],
  ])('is refused with %j', async (args, reason) => {
    const { code, stderr } = await runCommand(directory, 'doctor', ...args);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) });
  });
});
