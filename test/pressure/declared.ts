import { builtInTypes } from '../../src/kinds/built-in.ts';
import type { ResourceType } from '../../src/registry/resource-type.ts';
import type { Facts } from '../../src/schema/facts.ts';
import type {
  ListShape,
  MapShape,
  Node,
  ScalarShape,
  StructShape,
  UnionShape,
  Visitor,
} from '../../src/schema/node.ts';
import { vocabularies } from '../../src/vocabulary/vocabulary.ts';
import type { Client } from '../support/client.ts';
import type { Shape } from './shape.ts';

/** Puts a value where a field is, inside of whatever holds the field. */
type Wrap = (value: unknown) => unknown;

/** A place in a kind, and values that nobody in their right mind would put there. */
interface DeclaredField {
  readonly field: string;
  readonly wrap: Wrap;
  readonly ugly: readonly ((size: number) => unknown)[];
}

const CHARACTERS = 2_000_000;
const ELEMENTS = 9_900;

/** So many characters of JSON. */
const repeated = (text: string) => (size: number) =>
  text.repeat(Math.max(1, Math.floor((size * CHARACTERS) / (Buffer.byteLength(JSON.stringify(text)) - 2))));
const numbered = (size: number): string[] => Array.from({ length: Math.floor(size * ELEMENTS) }, (_, at) => `x${at}`);

/** Texts that expressions and readers of numbers stumble over. */
const TEXTS = ['a', '0', '9', '-', '.', '/', ' ', "['", '\\', '*', '%', '@', '::', '1.', 'é', '\u0000'].map(repeated);
const NUMBERS = [1e308, -1e308, 2 ** 53, -1, 0.1].map((value) => () => value);

/** Every property that the kinds declare, once: where it is reached first. */
class Places implements Visitor<void> {
  readonly found: DeclaredField[] = [];
  private readonly seen = new Set<string>();
  private wrap: Wrap = (value) => value;
  private field = '';

  visit(node: Node, field: string, wrap: Wrap): void {
    const before = { field: this.field, wrap: this.wrap };
    this.field = field;
    this.wrap = wrap;
    node.accept(this);
    this.field = before.field;
    this.wrap = before.wrap;
  }

  scalar(_shape: ScalarShape, _facts: Facts): void {
    this.add([...TEXTS, ...NUMBERS]);
  }

  struct(shape: StructShape): void {
    const { wrap, field } = this;
    for (const [name, { node, inline }] of Object.entries(shape.fields)) {
      const key = `${shape.name}.${name}`;
      if (this.seen.has(key)) continue;
      this.seen.add(key);
      if (inline) this.visit(node, field, wrap);
      else this.visit(node, key, (value) => wrap({ [name]: value }));
    }
  }

  list(shape: ListShape): void {
    const { wrap, field } = this;
    this.add([
      (size) => numbered(size),
      (size) => numbered(size).map((name) => ({ name, key: name, type: name, ip: name })),
    ]);
    this.visit(shape.item(), field, (value) => wrap([value]));
  }

  map(shape: MapShape): void {
    const { wrap, field } = this;
    this.add([(size) => Object.fromEntries(numbered(size).map((name) => [name, name]))]);
    this.visit(shape.item(), field, (value) => wrap({ key: value }));
  }

  union(_shape: UnionShape): void {
    this.add(TEXTS.slice(0, 2));
  }

  loose(): void {
    this.add([...TEXTS, ...NUMBERS]);
  }

  private add(ugly: DeclaredField['ugly']): void {
    const { field, wrap } = this;
    this.found.push({ field, wrap, ugly });
  }
}

const collectionOf = ({ group, version, plural, namespaced }: ResourceType): string =>
  `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${plural}?dryRun=All`;

/** What is missing besides the place itself, so that a document is looked at as one of its kind. */
const withName = (document: unknown): object => {
  const { metadata, ...rest } = document as { metadata?: object };
  return { ...rest, metadata: { name: 'ugly', ...metadata } };
};

/** A shape for every declared property and every ugly value for it. */
export function declaredShapes(): Shape[] {
  const places = new Places();
  const shapes: Shape[] = [];
  for (const type of builtInTypes(vocabularies.platform).filter(({ verbs }) => verbs.includes('create'))) {
    const first = places.found.length;
    places.visit(type.schema, type.kind, (value) => value);
    for (const { field, wrap, ugly } of places.found.slice(first)) {
      for (const [at, make] of ugly.entries()) {
        const send = async (admin: Client, size: number): Promise<number> =>
          (await admin.request('POST', collectionOf(type), withName(wrap(make(size))))).status;
        shapes.push({ name: `${type.kind}: ${field} #${at}`, send });
      }
    }
  }
  return shapes;
}
