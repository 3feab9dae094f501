import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import { replyWithText } from '../handlers/respond.ts';
import { FLAG_ROWS, type Settings } from '../settings/settings.ts';

/** What a URL says before the host may be a password. */
const CREDENTIALS = /\/\/[^/@\s]*@/g;

/** Answers `/flagz` with what the server was started with, a line for each flag. Flags name files; none holds a secret. */
export function flagzHandler(settings: Settings): PathHandler {
  const lines = FLAG_ROWS.map(([option, { name }]) => `${name}=${shown(settings[option as keyof Settings])}`).sort();
  const text = `${lines.join('\n')}\n`;
  return (context) => {
    if (context.info.path !== '/flagz') return undefined;
    demandRead(context);
    return replyWithText(200, text);
  };
}

const shown = (value: unknown): string =>
  (Array.isArray(value) ? value.join(',') : String(value ?? '')).replace(CREDENTIALS, '//***@');
