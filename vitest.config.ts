import { defineConfig } from 'vitest/config';

/** A slow machine is no failure: nothing that a test waits for has a bound that a busy one could miss. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/bundle.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Importing the source anew for each file would take longer than the tests. So a test leaves modules, the
    // environment and the process as it found them.
    isolate: false,
    maxWorkers: '100%',
    expect: { poll: { timeout: 30_000, interval: 20 } },
  },
});
