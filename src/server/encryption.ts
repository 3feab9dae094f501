import { readFileSync } from 'node:fs';
import { readYaml } from '../codec/yaml-text.ts';
import { everyType } from '../kinds/built-in.ts';
import type { Logger } from '../observe/logging/logger.ts';
import { followFiles } from '../pki/followed-files.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { MOST_VALUES } from '../schema/document-limits.ts';
import { isObject } from '../schema/json-object.ts';
import { AES_KEY_BYTES, aesCbc, aesGcm } from '../storage/sealing/aes.ts';
import { type NamedKey, PLAIN, type Provider } from '../storage/sealing/provider.ts';
import { type SealedCollections, Sealing } from '../storage/sealing/sealing.ts';
import { SECRETBOX_KEY_BYTES, secretbox } from '../storage/sealing/secretbox.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { KmsServices, readKmsFields } from './kms-services.ts';

const KIND = 'EncryptionConfiguration';
const DEEPEST = 20;

type Fields = Readonly<Record<string, unknown>>;

/** Makes the providers of one entry, one for each key. */
type MakeProviders = (fields: Fields, at: string, services: KmsServices) => readonly Provider[];

const withKeys =
  (make: (key: NamedKey) => Provider, lengths: readonly number[]): MakeProviders =>
  (fields, at) =>
    listIn(fields.keys, `${at}.keys`).map((key, index) => make(namedKey(key, `${at}.keys[${index}]`, lengths)));

const PROVIDERS: Readonly<Record<string, MakeProviders>> = {
  identity: () => [PLAIN],
  aesgcm: withKeys(aesGcm, AES_KEY_BYTES),
  aescbc: withKeys(aesCbc, AES_KEY_BYTES),
  secretbox: withKeys(secretbox, [SECRETBOX_KEY_BYTES]),
  kms: (fields, at, services) => [services.provide(readKmsFields(fields, at))],
};

export interface EncryptionOptions {
  readonly file: string;
  readonly vocabulary: Vocabulary;
  readonly runtime: Runtime;
  readonly logger: Logger;
}

/** How objects are stored so that nobody can read them who has no key, as a file says, and says again when it changes. */
export interface Encryption {
  readonly sealing: Sealing;
  /** What is wrong with the services that give keys; undefined while all are well. */
  problem(): string | undefined;
  /** Calls back now and then, when keys that could not be had may be. */
  onKeys(callback: () => void): void;
  close(): void;
}

/** Rejects with an Error of one line when the file makes no sense. Later on such a file is told of, and nothing changes. */
export async function encryptionFrom({ file, vocabulary, runtime, logger }: EncryptionOptions): Promise<Encryption> {
  const services = new KmsServices({ runtime, logger });
  const read = async (): Promise<SealedCollections[]> => {
    const collections = await services.changing(() => readEncryption(file, vocabulary, services));
    await services.settled();
    return collections;
  };
  const sealing = new Sealing(vocabulary.stored.encryptedPrefix, await read());
  services.forgetOthers();
  const reload = async (): Promise<void> => {
    try {
      sealing.replace(await read());
      services.forgetOthers();
      logger.info({ file }, 'objects are encrypted by another configuration from now on');
    } catch (error) {
      logger.error({ err: error }, 'the encryption configuration cannot be used; the former one stays');
    }
  };
  // One at a time: what was read later counts.
  let last: Promise<void> = Promise.resolve();
  const followed = followFiles([file], runtime, () => {
    last = last.then(reload);
  });
  return {
    sealing,
    problem: () => services.problem(),
    onKeys: (callback) => services.onKeys(callback),
    close() {
      followed.close();
      services.close();
    },
  };
}

async function readEncryption(
  file: string,
  vocabulary: Vocabulary,
  services: KmsServices,
): Promise<SealedCollections[]> {
  try {
    const { value, repeated } = await readYaml(readFileSync(file, 'utf8'), { deepest: DEEPEST, values: MOST_VALUES });
    if (repeated.length > 0) throw new Error(`${repeated.join(', ')} stands there twice`);
    return collectionsIn(value, vocabulary, services);
  } catch (error) {
    throw new Error(`--encryption-provider-config ${file}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

function collectionsIn(document: unknown, vocabulary: Vocabulary, services: KmsServices): SealedCollections[] {
  const apiVersion = `${vocabulary.configGroups.apiserverConfig}/v1`;
  if (!isObject(document) || document.kind !== KIND || document.apiVersion !== apiVersion) {
    throw new Error(`an ${KIND} of ${apiVersion} is wanted`);
  }
  const groupOf = groupsOfCollections(vocabulary);
  return listIn(document.resources, 'resources').map((entry, index) => {
    const at = `resources[${index}]`;
    const names = listIn(entry.resources, `${at}.resources`, 'text');
    const [first, ...others] = listIn(entry.providers, `${at}.providers`).flatMap((one, number) =>
      providersIn(one, `${at}.providers[${number}]`, services),
    );
    if (!first) throw new Error(`${at}.providers: at least one is wanted`);
    const marks = [first, ...others].map(({ mark }) => mark);
    const twice = marks.find((mark, place) => marks.indexOf(mark) !== place);
    if (twice !== undefined) throw new Error(`${at}.providers: ${twice || 'identity'} is there twice`);
    return { providers: [first, ...others], includes: (collection) => matches(names, collection, groupOf) };
  });
}

function providersIn(entry: Fields, at: string, services: KmsServices): readonly Provider[] {
  const [name = '', ...more] = Object.keys(entry);
  const make = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (!make || more.length > 0) throw new Error(`${at}: one of ${Object.keys(PROVIDERS).join(', ')} is wanted`);
  const fields = entry[name] ?? {};
  if (!isObject(fields)) throw new Error(`${at}.${name}: fields are wanted`);
  return make(fields, `${at}.${name}`, services);
}

/** Secrets are never quoted in what is told about them. */
function namedKey({ name, secret }: Fields, at: string, lengths: readonly number[]): NamedKey {
  if (typeof name !== 'string' || !/^[\w.-]{1,128}$/.test(name)) {
    throw new Error(`${at}.name: letters, digits, dots, dashes and underlines are wanted`);
  }
  if (typeof secret !== 'string' || !/^[A-Za-z0-9+/]+={0,2}$/.test(secret))
    throw new Error(`${at}.secret: base64 is wanted`);
  const bytes = Buffer.from(secret, 'base64');
  if (!lengths.includes(bytes.length)) {
    throw new Error(`${at}.secret: ${lengths.join(', ')} bytes are wanted, not ${bytes.length}`);
  }
  return { name, secret: bytes };
}

function listIn(value: unknown, at: string): Fields[];
function listIn(value: unknown, at: string, of: 'text'): string[];
function listIn(value: unknown, at: string, of: 'fields' | 'text' = 'fields'): (Fields | string)[] {
  const isRight = of === 'text' ? (one: unknown) => typeof one === 'string' && one !== '' : isObject;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRight)) {
    throw new Error(`${at}: a list that is not empty is wanted`);
  }
  return value;
}

/** The groups of built-in collections; several kinds may share one. */
function groupsOfCollections(vocabulary: Vocabulary): ReadonlyMap<string, ReadonlySet<string>> {
  const groups = new Map<string, Set<string>>();
  for (const { collection, plural, group } of everyType(vocabulary)) {
    const names = groups.get(collection) ?? new Set();
    groups.set(collection, names.add(`${plural}.${group}`));
  }
  return groups;
}

/** `secrets`, `deployments.apps`, `*.apps`, `*.` for the core group, `*.*` for everything. */
function matches(
  names: readonly string[],
  collection: string,
  builtIn: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  const own = builtIn.get(collection) ?? new Set([collection]);
  return [...own].some((full) => {
    const group = full.slice(full.indexOf('.') + 1);
    return names.some((name) => {
      const wanted = name.includes('.') ? name : `${name}.`;
      return wanted === '*.*' || wanted === full || wanted === `*.${group}`;
    });
  });
}
