import { type Format, JSON_FORMAT } from '../codec/negotiation.ts';
import { demandRead, type PathHandler } from '../handlers/path-handler.ts';
import { replyWithValue } from '../handlers/respond.ts';
import type { GroupSource } from './group-source.ts';

/** Where people look first. */
const INDEX_PATHS: readonly string[] = ['/', '/index.html'];

/** What is served at fixed paths whatever the settings; `/apis/` and `/openapi/v3/` lead on. */
const FIXED_PATHS = [
  '/api',
  '/apis',
  '/apis/',
  '/flagz',
  '/metrics',
  '/openapi/v2',
  '/openapi/v3',
  '/openapi/v3/',
  '/version',
];

/** Laid out for people, whoever asks. */
const INDEX_FORMAT: Format = { ...JSON_FORMAT, indented: true };

/**
 * Answers `/` with the paths that are no resources, for people and for tools that look around. `others`: those of other
 * parts, asked for again and again.
 */
export function indexHandler(source: GroupSource, others: () => readonly string[]): PathHandler {
  return (context) => {
    if (!INDEX_PATHS.includes(context.info.path)) return undefined;
    demandRead(context);
    const paths = [...FIXED_PATHS, ...groupPaths(source), ...others()].sort();
    return replyWithValue(200, { paths }, INDEX_FORMAT);
  };
}

const groupPaths = (source: GroupSource): string[] =>
  source.groups().flatMap(({ name, versions }) => {
    const group = name === '' ? '/api' : `/apis/${name}`;
    const below = versions.map((version) => `${group}/${version}`);
    return name === '' ? below : [group, ...below];
  });
