import { useEffect, useState } from 'preact/hooks';
import { isObject, type Json } from '../api/json.ts';
import { type FieldDoc, type SchemaReader, schemaOf } from '../api/openapi.ts';
import type { Kind } from '../state/catalogue.ts';

type Path = readonly (string | number)[];

/** Levels that are open at first. */
const OPEN_LEVELS = 2;
/** Longer lists and maps are shown in part: nobody reads them here. */
const MOST_ENTRIES = 200;

/** A value with all that is in it, and what the schema says of every field. */
export function FieldTree({ value, kind, path }: { value: Json; kind: Kind; path: Path }) {
  const [schema, setSchema] = useState<SchemaReader | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    // Without a schema there are no explanations, and everything else is the same.
    schemaOf(kind).then(
      (found) => isWanted && setSchema(found),
      () => setSchema(undefined),
    );
    return () => {
      isWanted = false;
    };
  }, [kind]);
  return <Node value={value} path={path} level={0} docs={(at) => schema?.docOf(at)} />;
}

interface NodeProps {
  readonly value: Json;
  readonly path: Path;
  readonly level: number;
  readonly docs: (path: Path) => FieldDoc | undefined;
}

function Node({ value, path, level, docs }: NodeProps) {
  const entries: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? value.map((one, i) => [i, one] as const)
    : isObject(value)
      ? Object.entries(value).map(([key, one]) => [key, one ?? null] as const)
      : [];
  if (entries.length === 0) return <Leaf value={value} />;
  return (
    <ul class="tree">
      {entries.slice(0, MOST_ENTRIES).map(([key, one]) => {
        const at = [...path, key];
        const about = typeof key === 'string' ? docs(at)?.description : undefined;
        const title = typeof key === 'number' ? titleOf(one, key) : key;
        return (
          <li key={key}>
            {isBranch(one) ? (
              <details open={level < OPEN_LEVELS}>
                <summary title={about}>{title}</summary>
                <Node value={one} path={at} level={level + 1} docs={docs} />
              </details>
            ) : (
              <div class="leaf">
                <span title={about}>{title}</span>
                <Leaf value={one} />
              </div>
            )}
          </li>
        );
      })}
      {entries.length > MOST_ENTRIES && <li class="quiet">and {entries.length - MOST_ENTRIES} more</li>}
    </ul>
  );
}

const isBranch = (value: Json): boolean =>
  (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);

/** Elements of lists are known by their names, where they have one. */
function titleOf(value: Json, index: number): string {
  const name = isObject(value) ? (value.name ?? value.type ?? value.key) : undefined;
  return typeof name === 'string' ? name : isObject(value) || Array.isArray(value) ? `#${index + 1}` : '–';
}

function Leaf({ value }: { value: Json }) {
  const text =
    value === null ? 'null' : typeof value === 'object' ? (Array.isArray(value) ? '[]' : '{}') : String(value);
  return <code class={typeof value === 'number' || typeof value === 'boolean' ? 'literal' : ''}>{text}</code>;
}
