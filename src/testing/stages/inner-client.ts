import { Readable } from 'node:stream';
import { PlaneClient, type Send } from '../../client/plane-client.ts';
import { Client } from '../../client/typed/client.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { InjectRequest } from '../../server/injection.ts';
import type { EmbeddedPlane } from '../../server/server.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

/** The program that stages appear as in logs, recordings and among the owners of fields. */
const PROGRAM = 'stages';
const SENDER = { as: { user: PROGRAM, groups: ['system:masters'] }, background: true } as const;

/**
 * A client of a plane in the same process, without a connection: its requests pass all stages of the server, count as
 * those of a control loop, and are done when a manual clock says that the plane has settled.
 */
export function innerClient(server: EmbeddedPlane, runtime: Runtime, vocabulary: Vocabulary): Client {
  const send: Send = async ({ method, target, body = '', contentType = 'application/json', accept }) => {
    const headers = headersOf(accept, body === '' ? undefined : contentType);
    const { status, headers: pairs, body: answer } = await server.inject({ ...SENDER, method, target, headers, body });
    return {
      status,
      headers: Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value])),
      body: answer,
    };
  };
  const openStream = async (target: string, accept: string) => {
    const request: InjectRequest = { ...SENDER, target, headers: headersOf(accept, undefined) };
    const { status, body } = await server.injectStream(request);
    return Object.assign(Readable.from(body, { objectMode: false }), { statusCode: status });
  };
  const plane = new PlaneClient(send, vocabulary.groups.meta);
  return new Client({
    send,
    plane,
    openStream,
    open: () => Promise.reject(new TypeError('stages have no connection that could be opened')),
    dial: () => Promise.reject(new TypeError('stages have no connection that could be dialled')),
    informed: { runtime, client: plane, openStream, vocabulary },
    runtime,
    clock: runtime,
    vocabulary,
    fieldManager: PROGRAM,
    namespace: 'default',
    close() {},
  });
}

const headersOf = (accept = 'application/json', contentType: string | undefined): Record<string, string> => ({
  accept,
  'user-agent': PROGRAM,
  ...(contentType === undefined ? {} : { 'content-type': contentType }),
});
