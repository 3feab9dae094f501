import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

/** What comes with a client where everything is bundled: its own code, and the packages that it needs. */

const root = fileURLToPath(new URL('..', import.meta.url));

/** What of our own a client is made of: itself, and what everything is made of. The rest is the server's. */
const OWN = ['api', 'bounds', 'client', 'codec', 'meta', 'outbound', 'runtime', 'schema', 'vocabulary'];
/** Packages for processes in pods, and for configurations that are not JSON. */
const ON_DEMAND = ['ws', 'yaml'];
const MOST_BYTES = 150_000;

interface Part {
  readonly bytes: number;
  /** Of them those that are made of our own sources. */
  readonly ownBytes: number;
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

function partOf(outputs: readonly [string, Metafile['outputs'][string]][]): Part {
  const inputs = outputs.flatMap(([, output]) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    bytes: sum(outputs.map(([, output]) => output.bytes)),
    ownBytes: sum(used.map(([name, { bytesInOutput }]) => (name.startsWith('src/') ? bytesInOutput : 0))),
    sources: used.map(([name]) => name),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((before, one) => before + one, 0);

const packagesIn = ({ sources }: Part): string[] => [
  ...new Set(sources.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [])),
];

describe('the bundle of the client', () => {
  it('has no code of the server', () => {
    const own = [...begins.sources, ...onDemand.sources].filter((name) => name.startsWith('src/'));
    expect(own).toContain('src/client/typed/kinds/core.ts');
    expect(own.filter((name) => !OWN.includes(name.split('/')[1] ?? ''))).toEqual([]);
  });

  it('is small, with all that it needs to begin with, and with all that it can do', () => {
    expect(packagesIn(begins)).toEqual([]);
    expect(begins.bytes).toBeLessThan(MOST_BYTES);
    expect(begins.ownBytes + onDemand.ownBytes).toBeLessThan(MOST_BYTES);
  });

  it('loads packages only on demand', () => {
    expect(packagesIn(onDemand).sort()).toEqual(ON_DEMAND);
  });
});
