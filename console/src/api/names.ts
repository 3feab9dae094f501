/** Names that differ between vocabularies, as the server tells them. */
export interface Names {
  readonly vocabulary: string;
  readonly groups: Readonly<Record<string, string>>;
  readonly websocketProtocols: {
    readonly channelV5: string;
    readonly channelV4: string;
    readonly bearerTokenPrefix: string;
  };
  readonly restartedAt: string;
  readonly groupVersionKind: string;
}

let loaded: Names | undefined;

export async function loadNames(): Promise<void> {
  const answer = await fetch('/console/names.json', { credentials: 'omit' });
  if (!answer.ok) throw new Error(`the server does not tell its names: ${answer.status}`);
  loaded = await answer.json();
}

/** Only once they are loaded, which is before anything is shown. */
export function names(): Names {
  if (!loaded) throw new Error('the names are not loaded');
  return loaded;
}

/** A group of the server's own. */
export const groupNamed = (name: string): string => names().groups[name] ?? name;
