import { fileURLToPath } from 'node:url';
import type { UserConfig } from 'vite';

/** How the console is built; `build-console.mjs` says where to. Everything is at `/console/`, wherever the server is. */
const config: UserConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  logLevel: 'warn',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    emptyOutDir: true,
    chunkSizeWarningLimit: 800,
  },
};

export default config;
