import { request } from 'node:https';
import type { Connection } from '../../src/outbound/config.ts';
import { tlsOptions } from '../support/client.ts';

/** Someone who asks for much and reads it slowly. */
export interface SlowReader {
  readonly status: number;
  readonly received: number;
  close(): void;
}

const EVERY_MS = 250;

/** Reads an answer at so many bytes a second. Resolves when the answer has begun. */
export function readSlowly(
  connection: Connection,
  path: string,
  accept: string,
  bytesPerSecond: number,
): Promise<SlowReader> {
  const { hostname, port } = new URL(connection.server);
  return new Promise((resolve, reject) => {
    const outgoing = request({ hostname, port, path, agent: false, headers: { accept }, ...tlsOptions(connection) });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let received = 0;
      let due = 0;
      incoming.on('error', () => {});
      incoming.on('data', (part: Buffer) => {
        received += part.length;
        if (received > due) incoming.pause();
      });
      const timer = setInterval(() => {
        due += (bytesPerSecond * EVERY_MS) / 1000;
        if (received <= due) incoming.resume();
      }, EVERY_MS);
      incoming.on('close', () => clearInterval(timer));
      resolve({
        status: incoming.statusCode ?? 0,
        get received() {
          return received;
        },
        close: () => outgoing.destroy(),
      });
    });
    outgoing.end();
  });
}
