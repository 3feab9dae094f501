import { TEXT_UNITS } from '../values/meter.ts';
import { Failure, keyOf, OpaqueValue } from '../values/values.ts';
import { bool, global, type Library, map, member, opaqueParam, text, texts } from './signature.ts';
import { parseUrl, queryOf, type Url } from './url.ts';

const NAME = 'URL';
const url = opaqueParam<Url>(NAME);

/** Reading a URL takes longer than its length tells. */
const parsing = {
  units: (size: number) => 50 + size,
  estimate: (size: number) => Math.ceil(size * TEXT_UNITS),
  resultSize: (size: number) => size,
};
const part = { resultSize: (size: number) => 3 * size };

export const urls: Library = {
  isURL: [global([text], bool, (_, written) => parseUrl(written) !== undefined, parsing)],
  url: [
    global(
      [text],
      url,
      (_, written) => {
        const read = parseUrl(written);
        if (read) return new OpaqueValue(NAME, read, read.text);
        const shown = written.length > 100 ? `${written.slice(0, 100)}…` : written;
        return new Failure(
          `URL parse error during conversion from string: parse ${JSON.stringify(shown)}: invalid URI for request`,
        );
      },
      parsing,
    ),
  ],
  getScheme: [member([url], text, (_, { content }) => content.scheme, part)],
  getHost: [member([url], text, (_, { content }) => content.host, part)],
  getHostname: [member([url], text, (_, { content }) => content.hostname, part)],
  getPort: [member([url], text, (_, { content }) => content.port, part)],
  getEscapedPath: [member([url], text, (_, { content }) => content.path, part)],
  getQuery: [
    member(
      [url],
      map(text, texts),
      (meter, { content }) => {
        meter.spend(10 + content.query.length);
        return new Map([...queryOf(content)].map(([key, values]) => [keyOf(key), [key, values]]));
      },
      part,
    ),
  ],
};
