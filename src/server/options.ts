import { inspect, isDeepStrictEqual } from 'node:util';
import { type Logger, SILENT, standardLogger } from '../observe/logging/logger.ts';
import type { ClusterNetwork } from '../outbound/network.ts';
import type { Interceptor } from '../request/interceptor.ts';
import { type Runtime, systemRuntime } from '../runtime/runtime.ts';
import { refuseReplaced } from '../settings/configuration-file-flags.ts';
import { UsageError } from '../settings/flag.ts';
import { DEFAULT_SETTINGS, FLAG_ROWS, FLAGS, type Settings, storageOf } from '../settings/settings.ts';
import type { PreparedPlane } from './prepared-plane.ts';

/** Settings as flags know them, and what only an embedding program can give. */
export interface StartOptions extends Partial<Settings> {
  /** Short for `storage`. With memory or etcd and without a `dataDir` nothing is left on this disk at all. */
  readonly store?: Settings['storage'];
  /** Short for `securePort`. */
  readonly port?: number;
  readonly runtime?: Runtime;
  /** By default nothing is logged, unless `v` or `logFormat` is given: then it is written to the standard error. */
  readonly logger?: Logger;
  /** How pods, services and nodes are reached; by default at their addresses, unless these are of this machine or link. */
  readonly network?: Partial<ClusterNetwork>;
  /**
   * Serves API groups for another server, which passes requests on: it tells who asks, and decides who may do what. The
   * objects are this server's own.
   */
  readonly aggregatedBehind?: AggregatedBehind;
  /** Objects that parts of the server share are frozen, so that an attempt to change one is an exception. For tests. */
  readonly freezeObjects?: boolean;
  /** Delays, refuses or answers requests in the plane's place. For tests. */
  readonly interceptor?: Interceptor;
  /** What the plane need not make by itself. For tests. */
  readonly prepared?: PreparedPlane;
  /** Where the files of the console are; by default in the package. */
  readonly consoleFolder?: string;
}

/** The server in front of one, and what it passes on. */
export interface AggregatedBehind {
  /** A client configuration file by which the server in front is reached. */
  readonly kubeconfig: string;
  /** The API groups that are served; nothing else is. */
  readonly groups: readonly string[];
}

/** Accounts, owners and what namespaces hold are for the server in front to follow. */
const behind = ({ kubeconfig, groups }: AggregatedBehind): Partial<Settings> => ({
  authenticationKubeconfig: kubeconfig,
  authorizationKubeconfig: kubeconfig,
  servedGroups: groups,
  controllers: ['-*'],
});

/** What a server is started with, complete and checked. */
export interface CheckedOptions {
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly network: Partial<ClusterNetwork>;
  readonly freezeObjects: boolean;
  /** Undefined: the plane answers by itself. */
  readonly interceptor: Interceptor | undefined;
  /** Undefined: the plane makes everything by itself. */
  readonly prepared: PreparedPlane | undefined;
  /** Where files are kept; undefined: nowhere. */
  readonly dataDir: string | undefined;
  /** Undefined: where the build puts them. */
  readonly consoleFolder: string | undefined;
}

/** The other names of flags. */
const SHORT = { store: 'storage', port: 'securePort' } as const satisfies Record<string, keyof typeof FLAGS>;

/** The functions that objects given as options must or may have. */
const OBJECTS = {
  runtime: { functions: ['now', 'monotonic', 'after', 'uuid', 'random', 'bytes'], isPartial: false },
  logger: { functions: ['error', 'warn', 'info'], isPartial: false },
  network: { functions: ['allows', 'locate'], isPartial: true },
  interceptor: { functions: ['arrived', 'answered'], isPartial: false },
  prepared: { functions: [], isPartial: false },
} as const;

/**
 * Completes options by their defaults; one that is undefined is not given. Throws a UsageError naming the option that is
 * unknown or whose value does not fit: a program in JavaScript has no compiler to notice it.
 */
export function checkOptions(options: StartOptions): CheckedOptions {
  if (typeof options !== 'object' || options === null) {
    throw new UsageError(`the options of startServer must be an object, not ${shown(options)}`);
  }
  const isGiven = ([, value]: [string, unknown]): boolean => value !== undefined;
  for (const [option, value] of Object.entries(options).filter(isGiven)) checkOption(option, value);
  refuseContradiction(options);
  const {
    store,
    port,
    runtime = systemRuntime,
    logger,
    network = {},
    freezeObjects = false,
    interceptor,
    prepared,
    consoleFolder,
    aggregatedBehind,
    ...rest
  } = options;
  const given: Record<string, unknown> = Object.fromEntries(Object.entries(rest).filter(isGiven));
  const named: Settings = { ...DEFAULT_SETTINGS, ...(aggregatedBehind && behind(aggregatedBehind)), ...given };
  const settings = { ...named, storage: store ?? storageOf(named), securePort: port ?? named.securePort };
  refuseReplaced(new Map(FLAG_ROWS.filter(([option]) => isChanged(settings, option))));
  return {
    settings,
    runtime,
    logger: logger ?? loggerFor(options, settings, runtime),
    network,
    freezeObjects,
    interceptor,
    prepared,
    consoleFolder,
    dataDir: settings.storage === 'lmdb' ? settings.dataDir : options.dataDir,
  };
}

/** Whether an option is set to something else than what it is by default. */
const isChanged = (settings: Readonly<Record<string, unknown>>, option: string): boolean =>
  !isDeepStrictEqual(settings[option], { ...DEFAULT_SETTINGS }[option]);

const loggerFor = (given: StartOptions, { v, logFormat, loggingFormat }: Settings, runtime: Runtime): Logger =>
  given.v === undefined && given.logFormat === undefined && given.loggingFormat === undefined
    ? SILENT
    : standardLogger({ verbosity: v, format: logFormat ?? loggingFormat, runtime });

function checkOption(option: string, value: unknown): void {
  if (isKeyOf(OBJECTS, option)) {
    checkObject(option, value);
    return;
  }
  if (option === 'aggregatedBehind') {
    checkBehind(value);
    return;
  }
  if (option === 'freezeObjects') {
    if (typeof value !== 'boolean')
      throw new UsageError(`the option ${option} must be true or false, not ${shown(value)}`);
    return;
  }
  if (option === 'consoleFolder') {
    if (typeof value !== 'string' || value === '')
      throw new UsageError(`the option ${option} must be a text that is not empty, not ${shown(value)}`);
    return;
  }
  const name = isKeyOf(SHORT, option) ? SHORT[option] : option;
  if (!isKeyOf(FLAGS, name)) throw new UsageError(`startServer has no option ${shown(option)}`);
  const { expects, fits } = FLAGS[name];
  if (!fits(value)) throw new UsageError(`the option ${option} must be ${expects}, not ${shown(value)}`);
}

function checkObject(option: keyof typeof OBJECTS, value: unknown): void {
  const { functions, isPartial } = OBJECTS[option];
  if (typeof value !== 'object' || value === null) {
    throw new UsageError(`the option ${option} must be an object, not ${shown(value)}`);
  }
  for (const name of functions) {
    const member: unknown = Reflect.get(value, name);
    if (typeof member === 'function' || (isPartial && member === undefined)) continue;
    throw new UsageError(`the option ${option} must have the function ${name}`);
  }
  if (!isPartial) return;
  const unknown = Object.keys(value).find((name) => !functions.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`the option ${option} has no ${shown(unknown)}`);
}

function checkBehind(value: unknown): void {
  const { kubeconfig, groups } = Object(value);
  const areTexts = Array.isArray(groups) && groups.length > 0 && groups.every((group) => typeof group === 'string');
  if (typeof kubeconfig === 'string' && areTexts) return;
  throw new UsageError(`the option aggregatedBehind must have a kubeconfig and groups, not ${shown(value)}`);
}

function refuseContradiction(options: StartOptions): void {
  for (const short of ['store', 'port'] as const) {
    const [one, other] = [options[short], options[SHORT[short]]];
    if (one === undefined || other === undefined || one === other) continue;
    throw new UsageError(`the options ${short} and ${SHORT[short]} mean the same, but are ${one} and ${other}`);
  }
}

const isKeyOf = <T extends object>(table: T, name: string): name is Extract<keyof T, string> =>
  Object.hasOwn(table, name);

const LONGEST_SHOWN = 80;

/** A value in one short line. */
function shown(value: unknown): string {
  const text = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: LONGEST_SHOWN });
  return text.replace(/\s+/g, ' ').slice(0, LONGEST_SHOWN);
}
