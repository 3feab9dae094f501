import { atOnce } from '../runtime/pacing.ts';
import { canonicalise } from '../schema/derive/canonical.ts';
import { applyDefaults } from '../schema/derive/defaults.ts';
import { sameJson } from '../schema/same-json.ts';
import { int32, string } from '../schema/scalars.ts';
import { f, type Infer, list, map, struct } from '../schema/schema.ts';
import { PlainDocument } from './applied-document.ts';
import { applyDocument, type View } from './applying.ts';
import { sharingOf } from './derive-sharing.ts';
import { documentFields } from './difference.ts';
import { FieldSet, placeText } from './field-set.ts';
import type { Owner } from './owners.ts';
import { afterApply, afterUpdate, OwnershipConflict } from './ownership.ts';
import { readRecord, writeRecord } from './record.ts';
import { type Findings, RememberedDocument } from './remembered-document.ts';

const Probe = struct('test.Probe', { path: f(1, string()), period: f(2, int32().default(10)) });

const Part = struct('test.Part', {
  name: f(1, string().required()),
  size: f(2, int32().optional()),
  tags: f(3, list(string()).set()),
  probe: f(4, Probe.optional()),
});

const Port = struct('test.Port', {
  port: f(1, int32().required()),
  protocol: f(2, string().default('TCP')),
  title: f(3, string()),
});

/** Every way in which values are shared. */
export const Thing = struct('test.Thing', {
  labels: f(1, map(string())),
  replicas: f(2, int32().optional()),
  parts: f(3, list(Part).mapBy('name')),
  ports: f(4, list(Port).mapBy('port', 'protocol')),
  colours: f(5, list(string()).set()),
  steps: f(6, list(string())),
  limits: f(7, map(string()).atomic()),
  probe: f(8, Probe.optional()),
});
export type Thing = Infer<typeof Thing>;

/** The same with `replicas` called `count`. */
const OtherThing = struct('test.OtherThing', {
  labels: f(1, map(string())),
  count: f(2, int32().optional()),
  parts: f(3, list(Part).mapBy('name')),
  ports: f(4, list(Port).mapBy('port', 'protocol')),
  colours: f(5, list(string()).set()),
  steps: f(6, list(string())),
  limits: f(7, map(string()).atomic()),
  probe: f(8, Probe.optional()),
});

type JsonObject = { [name: string]: unknown };

const renamed = (object: unknown, from: string, to: string): JsonObject => {
  const { [from]: value, ...rest }: JsonObject = { ...(object as object) };
  return value === undefined ? rest : { ...rest, [to]: value };
};

const identity = (object: unknown): unknown => object;

/** Versions of the test kind, as seen from v1, which is stored. */
const VIEWS: Readonly<Record<string, View>> = {
  v1: { sharing: sharingOf(Thing), show: identity, restore: identity },
  v2: {
    sharing: sharingOf(OtherThing),
    show: (object) => renamed(object, 'replicas', 'count'),
    restore: (object) => renamed(object, 'count', 'replicas'),
  },
};

const V1_VIEWS = new Map(Object.entries(VIEWS));
const V2_VIEWS = new Map<string, View>([
  ['v1', { sharing: sharingOf(Thing), show: VIEWS.v2?.restore ?? identity, restore: VIEWS.v2?.show ?? identity }],
  ['v2', { sharing: sharingOf(OtherThing), show: identity, restore: identity }],
]);

export interface WriteOptions {
  readonly force?: boolean;
  readonly excused?: FieldSet;
  readonly apiVersion?: string;
}

/** Who owns what: `manager Operation` to the texts of its places. */
export type OwnerTable = Readonly<Record<string, readonly string[]>>;

/** An object and its record, written to as the server does it: canonical, with defaults, recorded after every write. */
export class TrackedObject {
  object: Thing = finished({});
  record: ReturnType<typeof writeRecord> = [];
  #clock = 0;
  readonly #remembers: boolean;
  readonly #findings = new Map<string, Findings>();

  /** `remembers`: what was found out when a document was applied serves the next; what stays the same is kept as it is. */
  constructor(remembers = true) {
    this.#remembers = remembers;
  }

  /** Replaces the object. */
  update(manager: string, object: unknown, { apiVersion = 'v1' }: WriteOptions = {}): void {
    const next = finished(VIEWS[apiVersion]?.restore(object));
    const writer = { manager, operation: 'Update', apiVersion, subresource: '' } as const;
    this.#keep(next, atOnce(afterUpdate(readRecord(this.record), this.#tracked(writer, next))));
  }

  /** Throws OwnershipConflict and leaves everything as it is. */
  apply(manager: string, document: unknown, options: WriteOptions = {}): void {
    const { force = false, apiVersion = 'v1', excused = FieldSet.EMPTY } = options;
    const applier = { manager, operation: 'Apply', apiVersion, subresource: '' } as const;
    const view = VIEWS[apiVersion];
    if (!view) throw new TypeError(`there is no version ${apiVersion}`);
    const plain = new PlainDocument(applier, Object(document), view.sharing, FieldSet.EMPTY);
    const remembered = new RememberedDocument(plain, this.#findings.get(`${manager} ${apiVersion}`));
    const applied = this.#remembers ? remembered : plain;
    const views = apiVersion === 'v1' ? V1_VIEWS : V2_VIEWS;
    const owners = readRecord(this.record);
    const live = view.show(this.object);
    const result = atOnce(applyDocument(Object(live), applied, owners, (version) => views.get(version)));
    const next = finished(view.restore(result));
    this.#keep(
      next,
      atOnce(afterApply(owners, this.#tracked(applier, next), { document: applied, force, excused: () => excused })),
    );
    if (this.#remembers) this.#findings.set(`${manager} ${apiVersion}`, remembered.findings);
  }

  /** The conflicts that an apply without force runs into, as `manager place`. */
  conflicts(manager: string, document: unknown, options: WriteOptions = {}): string[] {
    try {
      this.copy().apply(manager, document, { ...options, force: false });
      return [];
    } catch (error) {
      if (!(error instanceof OwnershipConflict)) throw error;
      return error.conflicts.map(({ owner, path }) => `${owner.manager} ${placeText(path)}`).sort();
    }
  }

  /** Another object that is the same so far. */
  copy(): TrackedObject {
    const copy = new TrackedObject(this.#remembers);
    copy.object = this.object;
    copy.record = this.record;
    copy.#clock = this.#clock;
    return copy;
  }

  get owners(): OwnerTable {
    const rows = readRecord(this.record).map(({ manager, operation, set }) => [
      `${manager} ${operation}`,
      [...set.paths()].map(placeText).sort(),
    ]);
    return Object.fromEntries(rows);
  }

  #tracked(writer: Parameters<typeof afterUpdate>[1]['writer'], next: Thing) {
    this.#clock++;
    return {
      writer,
      ignored: documentFields(sharingOf(Thing), {}),
      now: new Date(this.#clock * 1000).toISOString(),
      inVersion: (apiVersion: string) => {
        const view = VIEWS[apiVersion];
        return view && { sharing: view.sharing, before: view.show(this.object), after: view.show(next) };
      },
    };
  }

  #keep(object: Thing, owners: readonly Owner[]): void {
    this.object = this.#remembers ? withPartsOf(object, this.object) : object;
    // What is recorded has been through JSON.
    const record: typeof this.record = JSON.parse(JSON.stringify(writeRecord(owners)));
    if (!this.#remembers || !sameJson(record, this.record)) this.record = record;
  }
}

function withPartsOf(object: Thing, before: Thing): Thing {
  const same = Object.entries(before).filter(([name, part]) => sameJson(part, Object(object)[name]));
  return { ...object, ...Object.fromEntries(same) };
}

/** The object in canonical form, with defaults. */
export function finished(object: unknown): Thing {
  const { value } = canonicalise(Thing, object ?? {});
  applyDefaults(Thing, value);
  return canonicalise(Thing, value).value;
}
