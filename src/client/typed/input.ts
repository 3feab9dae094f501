/**
 * What may be written of an object: any part of it. The kind and its version are filled in where they are missing; what
 * else is required is for the plane to say, which knows defaults.
 */
export type Input<T> = T extends readonly (infer Item)[]
  ? readonly Input<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Input<T[K]> | undefined }
    : T;

/** What is to be different in an object; null removes a field. Lists are replaced as a whole. */
export type MergePatch<T> = T extends readonly (infer Item)[]
  ? readonly Input<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: MergePatch<T[K]> | null | undefined }
    : T;

/** As a merge patch, but lists are merged by their keys, and directives such as `$patch` say more. */
export type StrategicPatch<T> = T extends readonly (infer Item)[]
  ? readonly StrategicPatch<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: StrategicPatch<T[K]> | null | undefined } & StrategicDirectives
    : T;

export interface StrategicDirectives {
  readonly [directive: `$${string}`]: unknown;
}

/** One step of a JSON patch. Paths are JSON pointers. */
export type JsonPatchStep =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** A change, in one of the forms that it can be said in. */
export type Patch<T> =
  | { readonly merge: MergePatch<T> }
  | { readonly json: readonly JsonPatchStep[] }
  | { readonly strategic: StrategicPatch<T> };
