import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { Logger } from '../src/observe/logging/logger.ts';
import { policyFile } from './support/audit.ts';
import { TestAuthority } from './support/certificates.ts';
import { asNobody, http1Client, withToken } from './support/client.ts';
import { RemoteService } from './support/remote-service.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';
import { startTestServer } from './support/test-server.ts';

it('no credential appears in a log, an audit event or a refusal, whatever goes wrong with it', async () => {
  const directory = await temporaryDirectory();
  const tokenAuthFile = join(directory, 'tokens.csv');
  await writeFile(tokenAuthFile, 'static-secret-token,bob,2\n');
  const authority = new TestAuthority('webhook');
  const service = await RemoteService.open(authority);
  onTestFinished(() => service.close());
  const webhook = join(directory, 'webhook.conf');
  const cluster = { server: service.url, 'certificate-authority-data': Buffer.from(authority.pem).toString('base64') };
  const clusters = [{ name: 'c', cluster }];
  const contexts = [{ name: 'x', context: { cluster: 'c', user: 'u' } }];
  const users = [{ name: 'u', user: { token: 'webhook-secret-token' } }];
  await writeFile(
    webhook,
    JSON.stringify({ apiVersion: 'v1', kind: 'Config', clusters, contexts, users, 'current-context': 'x' }),
  );

  const lines: unknown[] = [];
  const log = (fields: object, message: string): void => {
    lines.push([message, fields, ...Object.values(fields).map((value) => (value instanceof Error ? value.stack : ''))]);
  };
  const logger: Logger = { error: log, warn: log, info: log };
  const auditLogPath = join(directory, 'audit.log');
  const plane = await startTestServer({
    tokenAuthFile,
    logger,
    auditPolicyFile: await policyFile(directory, [{ level: 'Metadata' }]),
    auditLogPath,
    enableBootstrapTokenAuth: true,
    authenticationTokenWebhookConfigFile: webhook,
  });
  onTestFinished(() => plane.close());

  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  await plane.admin.request('POST', accounts, { metadata: { name: 'robot' } });
  const issued = await plane.admin.request('POST', `${accounts}/robot/token`, { spec: {} });
  const { token } = issued.body.status as { token: string };
  const [, , signature = 'none'] = token.split('.');
  const secrets = [
    'static-secret-token',
    'static-secret-tokem',
    'webhook-secret-token',
    token,
    `${token.slice(0, -8)}AAAAAAAA`,
    'abcdef.0123456789abcdef',
    plane.server.adminToken,
  ];
  const refusals: string[] = [];
  for (const secret of secrets) {
    const client = http1Client(withToken(plane.connection, secret));
    onTestFinished(() => client.close());
    refusals.push((await client.request('GET', '/api/v1/secrets')).text);
    refusals.push((await client.request('GET', '/api', undefined, { 'impersonate-user': '' })).text);
    const review = { spec: { token: secret, audiences: ['nobody'] } };
    const path = '/apis/authentication.platform.io/v1/tokenreviews';
    const { status } = (await plane.admin.request('POST', path, review)).body;
    refusals.push(JSON.stringify(status));
  }
  const stranger = http1Client({ ...asNobody(plane.connection), ...authority.client({ commonName: 'x' }) });
  onTestFinished(() => stranger.close());
  refusals.push((await stranger.request('GET', '/api')).text);

  expect(service.received[0]?.headers.authorization).toBe('Bearer webhook-secret-token');
  const events = await readFile(auditLogPath, 'utf8');
  expect(events).toContain('tokenreviews');
  expect(lines.length).toBeGreaterThan(secrets.length);
  const told = JSON.stringify([lines, refusals, events]);
  for (const secret of [...secrets, signature, 'PRIVATE KEY']) expect(told).not.toContain(secret);
});
