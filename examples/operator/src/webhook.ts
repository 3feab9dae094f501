import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Client } from 'platform-apiserver/client';
import { Website } from './website.ts';

/** A question is an object and a little more; a plane takes no object above 3 MiB. */
const MOST_BYTES = 8 * 2 ** 20;

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly object: Website };
}

/**
 * Refuses a website whose domain another has already. No schema can say that, as it needs to be known what else there is.
 * Two that are created at the same moment may still both get through; a name made of the domain would rule that out.
 */
export async function serveWebhook(client: Client, certificate: { readonly key: string; readonly cert: string }) {
  async function refusalOf({ metadata, spec }: Website): Promise<string | undefined> {
    for await (const other of client.of(Website).each()) {
      const isItself = other.metadata.namespace === metadata.namespace && other.metadata.name === metadata.name;
      if (isItself || other.spec.domain !== spec.domain) continue;
      return `${spec.domain} belongs to the website ${other.metadata.namespace}/${other.metadata.name}`;
    }
    return undefined;
  }

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { apiVersion, request }: Review = JSON.parse(await textOf(incoming));
    const message = await refusalOf(request.object);
    const verdict = {
      uid: request.uid,
      allowed: message === undefined,
      ...(message && { status: { code: 409, message } }),
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: verdict }));
  }

  const server = createServer(certificate, (incoming, response) => {
    answer(incoming, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of incoming) {
    length += part.length;
    if (length > MOST_BYTES) throw new Error(`a question may have ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
