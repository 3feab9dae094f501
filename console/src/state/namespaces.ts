import { signal } from '@preact/signals';
import { listAt, textAt } from '../api/json.ts';
import { groupNamed } from '../api/names.ts';
import { Refusal, sendForJson } from '../api/request.ts';

/** Names of namespaces, for those who may list them. */
export const namespaces = signal<readonly string[]>([]);

export async function loadNamespaces(): Promise<void> {
  const accept = `application/json;as=PartialObjectMetadataList;v=v1;g=${groupNamed('meta')}`;
  try {
    const list = await sendForJson('/api/v1/namespaces?limit=2000', { accept });
    namespaces.value = listAt(list, 'items').map((item) => textAt(item, 'metadata', 'name'));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    namespaces.value = [];
  }
}
