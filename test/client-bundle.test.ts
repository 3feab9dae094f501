import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/** What comes with a client where everything is bundled: its own code, and the packages that it needs. */

const root = fileURLToPath(new URL('..', import.meta.url));

/** What of our own a client is made of. The rest is the server's. */
const OWN = ['api', 'client', 'meta', 'outbound', 'runtime', 'schema', 'vocabulary'];
/** Packages that are there from the beginning, and those that are loaded when they are needed. */
const PACKAGES = { loaded: [] as string[], onDemand: ['yaml'] };
const MOST_BYTES = 150_000;

interface Part {
  readonly bytes: number;
  readonly sources: readonly string[];
}

let begins: Part;
let onDemand: Part;

beforeAll(async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    write: false,
    outdir: 'unwritten',
  });
  const outputs = new Map(Object.entries(metafile.outputs));
  const [entry = ''] = [...outputs]
    .filter(([, { entryPoint }]) => entryPoint === 'src/client/index.ts')
    .map(([name]) => name);
  const loaded = new Set([entry]);
  for (const name of loaded) {
    for (const { path, kind } of outputs.get(name)?.imports ?? []) {
      if (kind === 'import-statement' && outputs.has(path)) loaded.add(path);
    }
  }
  begins = partOf([...outputs].filter(([name]) => loaded.has(name)));
  onDemand = partOf([...outputs].filter(([name]) => !loaded.has(name)));
});

const partOf = (outputs: readonly [string, Metafile['outputs'][string]][]): Part => ({
  bytes: outputs.reduce((sum, [, { bytes }]) => sum + bytes, 0),
  sources: outputs.flatMap(([, { inputs }]) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([name]) => name),
  ),
});

const packagesIn = ({ sources }: Part): string[] => [
  ...new Set(sources.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [])),
];

describe('the bundle of the client', () => {
  it('has no code of the server', () => {
    const own = [...begins.sources, ...onDemand.sources].filter((name) => name.startsWith('src/'));
    expect(own).toContain('src/client/typed/kinds/core.ts');
    expect(own.filter((name) => !OWN.includes(name.split('/')[1] ?? ''))).toEqual([]);
  });

  it('is small, with all that it needs to begin with', () => {
    expect(packagesIn(begins)).toEqual(PACKAGES.loaded);
    expect(begins.bytes).toBeLessThan(MOST_BYTES);
  });

  it('loads only on demand what few need', () => {
    expect(packagesIn(onDemand)).toEqual(PACKAGES.onDemand);
  });
});
