import { defineConfig } from 'vitest/config';

/** A slow machine is no failure. */
export default defineConfig({
  test: { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 30_000, interval: 20 } } },
});
