import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Declarations } from '../packaging/api/declarations.mjs';
import { apiPages, undocumented } from '../packaging/api/pages.mjs';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** How the pages of docs/api come about; `test/package.test.ts` holds those that there are against the package. */

const FILES = {
  'index.d.ts': `/// <reference types="node" preserve="true" />
/** A server. */
export { startServer } from './server/server.ts';
export type { Options as StartOptions } from './server/options.ts';
`,
  'server/server.d.ts': `import type { Options } from './options.ts';
/**
 * Starts it.
 * Resolves when it is ready.
 */
export declare const startServer: (options?: Options) => Promise<import("../deep.ts").Server>;
export declare const unexported: string;
`,
  'server/options.d.ts': `import type { Parts } from '../parts.ts';
/** What it is told. */
export interface Options extends Network {
    /** Where it listens. */
    readonly port?: number;
}
/** Where it is. */
interface Network {
    readonly host?: string;
}
/** Never shown: nobody names it. */
export declare class Alone {
    #private;
    constructor(parts: Parts);
}
`,
  'client/index.d.ts': `export { Client } from './client.ts';
export { Pod } from './typed/kinds/core.ts';
`,
  'client/client.d.ts': `import type { Wire } from '../wire.ts';
export declare class Client {
    #private;
    constructor(wire: Wire);
    close(): void;
}
`,
  'client/typed/kinds/core.d.ts': `export type Pod = {
    readonly name: string;
};
export declare const Pod: ObjectKind<Pod>;
`,
  'wire.d.ts': `export interface Wire {
    send(): void;
}
`,
  'testing/index.d.ts': '',
  'schema/index.d.ts': '',
};

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

describe('a page of the reference', () => {
  it('has what is exported, by whatever name it has elsewhere, and what that names', async () => {
    const page = apiPages(await folderOf(FILES))['server.md'];
    expect(page).toBe(`# platform-apiserver

A server.

Made of the comments in the sources by \`npm run api-reference\`; a test holds the two together.

## Functions

### startServer

Starts it.
Resolves when it is ready.

\`\`\`ts
const startServer: (options?: Options) => Promise<Server>;
\`\`\`

## Types

### StartOptions

What it is told.

\`\`\`ts
interface Options extends Network {
    /** Where it listens. */
    readonly port?: number;
}
\`\`\`

## Named by these, and not exported

### Network

Where it is.

\`\`\`ts
interface Network {
    readonly host?: string;
}
\`\`\`
`);
  });

  it('has classes without what only the package makes them of, and no list of kinds', async () => {
    const page = apiPages(await folderOf(FILES))['client.md'];
    expect(page).toContain('class Client {\n    close(): void;\n}');
    expect(page).toContain('## Kinds');
    expect(page).not.toContain('### Pod');
  });
});

it('what has no comment is known, kinds aside', async () => {
  expect(undocumented(await folderOf(FILES))).toEqual(['client/index.d.ts: Client']);
});

it('a name that nothing declares is an error', async () => {
  const folder = await folderOf({ 'index.d.ts': "export { lost } from './nowhere.ts';\n" });
  expect(() => new Declarations(folder).exportsOf('index.d.ts')).toThrow('index.d.ts: nothing declares lost');
});
