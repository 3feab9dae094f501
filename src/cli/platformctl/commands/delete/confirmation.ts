import { createInterface } from 'node:readline/promises';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';
import type { SelectedObject } from '../../resources/selection.ts';
import { objectName } from '../../resources/served-resources.ts';

/** Asks whoever types whether these are to be deleted. */
export async function confirm({ io }: Session, objects: readonly SelectedObject[]): Promise<boolean> {
  const names = objects.map(({ resource, name }) => `${objectName(resource, name)}\n`).join('');
  const question = `You are about to delete the following ${objects.length} resource(s):\n${names}Do you want to continue? (y/N): `;
  await write(io.stdout, question);
  const lines = createInterface({ input: io.stdin });
  try {
    for await (const line of lines) {
      if (/^y(es)?$/i.test(line.trim())) return true;
      break;
    }
  } finally {
    lines.close();
  }
  await write(io.stdout, 'deletion is cancelled\n');
  return false;
}
