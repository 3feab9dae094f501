import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { selfSign, validFor } from '../../pki/certificate.ts';
import { certificatePem, newPrivateKey, privateKeyPem } from '../../pki/keys.ts';
import { servingTemplate } from '../../pki/profiles.ts';
import { systemRuntime } from '../../runtime/runtime.ts';
import { acceptStreams, type ProcessStreams } from './process-streams.ts';
import type { ExecResult, Scripts } from './scripts.ts';

const ADDRESS = '127.0.0.1';
const LIFETIME_MS = 365 * 24 * 3_600_000;
/** More input than this no script is given. */
const MOST_INPUT_BYTES = 16 * 2 ** 20;

/** The service that runs on every node, for all fake nodes at once: tells logs and runs commands by scripts. */
export class NodeAgent {
  readonly #scripts: Scripts;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();

  private constructor(scripts: Scripts) {
    this.#scripts = scripts;
    this.#server = createServer(ownCertificate(), (request, response) => this.#answer(request, response));
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex) => this.#upgrade(request, socket));
  }

  static async start(scripts: Scripts): Promise<NodeAgent> {
    const agent = new NodeAgent(scripts);
    await new Promise<void>((resolve, reject) => {
      agent.#server.once('error', reject).listen(0, ADDRESS, resolve);
    });
    return agent;
  }

  get place(): { readonly address: string; readonly port: number } {
    return { address: ADDRESS, port: (this.#server.address() as AddressInfo).port };
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(url, 'https://node');
    const [, what, namespace, pod] = pathname.split('/');
    if (what !== 'containerLogs') {
      response.writeHead(404).end('fake nodes know logs, exec and attach');
      return;
    }
    const text = this.#scripts.log(`${namespace}/${pod}`);
    const tail = searchParams.get('tailLines');
    const told = tail === null ? text : lastLines(text, Number(tail));
    const limit = searchParams.get('limitBytes');
    response.end(limit === null ? told : Buffer.from(told).subarray(0, Number(limit)));
  }

  #upgrade(request: IncomingMessage, socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket));
    const { pathname, searchParams } = new URL(request.url ?? '', 'https://node');
    const [, what, namespace, pod] = pathname.split('/');
    if (what !== 'exec' && what !== 'attach') {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    acceptStreams(request, socket, (streams) => {
      void this.#run(`${namespace}/${pod}`, searchParams, streams);
    });
  }

  async #run(pod: string, query: URLSearchParams, streams: ProcessStreams): Promise<void> {
    try {
      const script = this.#scripts.exec(pod);
      if (!script) throw new Error(`no script answers for the pod ${pod}: say what it does with onExec`);
      const input = query.has('input') ? await textOf(streams.stdin) : '';
      const result = await script(query.getAll('command'), input);
      finish(streams, typeof result === 'string' ? { stdout: result } : result);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      streams.stdout.end();
      streams.stderr.end();
      tell(streams, { status: 'Failure', reason: 'InternalError', message, code: 500 });
    }
  }
}

function finish(streams: ProcessStreams, { stdout = '', stderr = '', code = 0 }: ExecResult): void {
  streams.stdout.end(stdout);
  streams.stderr.end(stderr);
  if (code === 0) tell(streams, { status: 'Success' });
  else {
    tell(streams, {
      status: 'Failure',
      reason: 'NonZeroExitCode',
      message: `command terminated with non-zero exit code: exit status ${code}`,
      details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
    });
  }
}

const tell = ({ error }: ProcessStreams, status: object): void => {
  error.end(JSON.stringify({ metadata: {}, ...status }));
};

async function textOf(stream: Duplex): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stream) {
    length += part.length;
    if (length > MOST_INPUT_BYTES) throw new Error(`the input is longer than ${MOST_INPUT_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

function lastLines(text: string, count: number): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return count === 0
    ? ''
    : lines
        .slice(-count)
        .map((line) => `${line}\n`)
        .join('');
}

/** By real time, as those who check it do. */
function ownCertificate(): { readonly key: string; readonly cert: string } {
  const key = newPrivateKey();
  const validity = validFor(systemRuntime, LIFETIME_MS);
  const certificate = selfSign(systemRuntime, key, servingTemplate(key, 'fake-nodes', [ADDRESS], validity));
  return { key: privateKeyPem(key), cert: certificatePem(certificate) };
}
