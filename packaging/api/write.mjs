/** `npm run api-reference`: writes docs/api from the declarations in dist. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiPages } from './pages.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'docs', 'api');

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(apiPages(join(root, 'dist')))) writeFileSync(join(folder, name), text);
