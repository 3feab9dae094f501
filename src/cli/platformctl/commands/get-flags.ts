import { integer, list, optionalText } from '../../../settings/flag.ts';
import { onOff, short } from '../frame/flags.ts';
import { COLOR_FLAGS } from '../print/color-flags.ts';
import { OUTPUT_FLAGS, TABLE_FLAGS } from '../print/output-flags.ts';

const CHUNK_SIZE = 500;
const MOST_IN_A_CHUNK = 1_000_000;

/** The flags of `get`, which others that show objects have too. */
export const GET_FLAGS = {
  ...OUTPUT_FLAGS,
  ...TABLE_FLAGS,
  ...COLOR_FLAGS,
  output: {
    ...OUTPUT_FLAGS.output,
    help: 'json, yaml, name, wide, custom-columns, custom-columns-file, go-template, go-template-file, jsonpath, jsonpath-as-json or jsonpath-file',
  },
  allNamespaces: short('A', onOff('all-namespaces', false, 'look in all namespaces')),
  selector: short('l', optionalText('selector', 'LABELS', 'objects with these labels alone, such as a=b,c!=d')),
  fieldSelector: optionalText('field-selector', 'FIELDS', 'objects with these fields alone, such as metadata.name=a'),
  chunkSize: {
    ...integer('chunk-size', 0, MOST_IN_A_CHUNK, CHUNK_SIZE, 'objects in one answer of the plane; 0 for all at once'),
    // Others take any number for one, and none at all for those below zero.
    read: (given: string) => Math.max(0, Number.parseInt(given, 10) || 0),
  },
  filename: short('f', list('filename', 'FILES', [], 'files, folders or URLs that name the objects')),
  kustomize: short('k', optionalText('kustomize', 'FOLDER', 'folder with an overlay; refused, see the documentation')),
  recursive: short('R', onOff('recursive', false, 'look into folders of folders')),
  ignoreNotFound: onOff('ignore-not-found', false, 'say nothing about objects that are not there'),
  subresource: optionalText('subresource', 'NAME', 'a part of the objects, such as status or scale'),
  raw: optionalText('raw', 'PATH', 'what the plane answers at a path, as it is'),
  watch: short('w', onOff('watch', false, 'go on with what changes')),
  watchOnly: onOff('watch-only', false, 'show what changes, and not what there is'),
  outputWatchEvents: onOff('output-watch-events', false, 'say what happened to each object that is shown'),
  live: onOff('live', false, 'with --watch: draw the table anew in place'),
  serverPrint: onOff('server-print', true, 'show the columns that the plane has for a kind'),
} as const;
