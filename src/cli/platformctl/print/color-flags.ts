import { choice } from '../../../settings/flag.ts';
import type { FlagTable } from '../frame/flags.ts';

export const COLOR_FLAGS = {
  color: choice('color', ['auto', 'always', 'never'], 'auto', 'colours: on a terminal, always or never'),
} as const satisfies FlagTable;
