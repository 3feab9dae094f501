import { defineConfig } from 'vitest/config';

/** A run of its own: the whole suite has the short form, many-planes.test.ts. */
export default defineConfig({
  test: {
    include: ['test/testing/five-hundred-planes.ts'],
    // So that memory is looked at when nothing is left to collect.
    execArgv: ['--expose-gc'],
    // As an installed package is: loaded by Node, not by the runner.
    server: { deps: { external: [/\/dist\//] } },
    slowTestThreshold: 10_000,
    testTimeout: 60_000,
  },
});
