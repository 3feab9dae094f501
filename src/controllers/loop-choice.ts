/** Loops that others run beside a plane: their names are no mistake, and mean nothing here. */
const LOOPS_OF_OTHERS: readonly string[] = [
  'attachdetach',
  'cloud-node-lifecycle',
  'cronjob',
  'daemonset',
  'deployment',
  'endpoint',
  'endpointslice',
  'endpointslicemirroring',
  'ephemeral-volume',
  'horizontalpodautoscaling',
  'job',
  'nodeipam',
  'nodelifecycle',
  'persistentvolume-binder',
  'persistentvolume-expander',
  'replicaset',
  'replicationcontroller',
  'route',
  'service',
  'statefulset',
  'ttl',
];

const ALL = '*';
const isOff = (entry: string): boolean => entry.startsWith('-');
const nameIn = (entry: string): string => (isOff(entry) ? entry.slice(1) : entry);

/**
 * Which control loops run: `*` for all that are on by default, `foo` for this one, `-foo` for all but this one, `-*` for
 * none but those that are named. Of entries about the same loop the first decides.
 */
export class LoopChoice {
  readonly #entries: readonly string[];

  /** `known`: the loops that there are. Throws an Error of one line about a name that no loop has. */
  constructor(entries: readonly string[], known: readonly string[]) {
    const names = new Set([ALL, ...known, ...LOOPS_OF_OTHERS]);
    const unknown = entries.map(nameIn).find((name) => !names.has(name));
    if (unknown !== undefined) throw new Error(`there is no control loop "${unknown}": see --controllers in --help`);
    this.#entries = entries;
  }

  includes(name: string, byDefault: boolean): boolean {
    const entry = this.#entries.find((one) => nameIn(one) === name) ?? this.#entries.find((one) => nameIn(one) === ALL);
    if (entry === undefined || isOff(entry)) return false;
    return entry === name || byDefault;
  }
}
