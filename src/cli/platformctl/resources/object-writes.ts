import { ApiError } from '../../../api/errors.ts';
import {
  type AnyObject,
  type DeletionOptions,
  PlaneClient,
  type PlaneRequest,
  refusalIn,
  type Send,
  unless,
} from '../../../client/plane-client.ts';
import { collectionPath, objectPath, type ServedKind, type Target } from '../../../client/served-kind.ts';
import { type Io, write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import type { DryRun, FieldValidation } from '../frame/write-flags.ts';

/** How a patch is to be read. */
export const PATCH_TYPES = {
  strategic: 'application/strategic-merge-patch+json',
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type PatchType = keyof typeof PATCH_TYPES;

/** What all writes of a command have in common. */
export interface WriteSettings {
  /** Who manages the fields; the plane takes the name of the program where it is ''. */
  readonly fieldManager?: string;
  readonly dryRun: DryRun;
  readonly fieldValidation?: FieldValidation;
  /** The plane is asked what admission does with a write; nothing is written. */
  readonly explainsAdmission?: boolean;
}

/** Requests that change objects. What the plane warns of is told on standard error, each warning once. */
export class ObjectWrites {
  readonly #send: Send;
  readonly #io: Io;
  readonly #query: URLSearchParams;
  readonly #metaGroup: string;
  readonly #told = new Set<string>();

  private constructor(send: Send, io: Io, metaGroup: string, settings: WriteSettings) {
    this.#send = send;
    this.#io = io;
    this.#metaGroup = metaGroup;
    this.#query = new URLSearchParams({
      ...(settings.fieldManager ? { fieldManager: settings.fieldManager } : {}),
      ...(settings.dryRun === 'server' ? { dryRun: 'All' } : {}),
      ...(settings.explainsAdmission ? { explain: 'admission' } : {}),
      ...(settings.fieldValidation ? { fieldValidation: settings.fieldValidation } : {}),
    });
  }

  static async of(session: Session, settings: WriteSettings): Promise<ObjectWrites> {
    const { groups } = await session.vocabulary();
    return new ObjectWrites(await session.send(), session.io, groups.meta, settings);
  }

  create(kind: ServedKind, namespace: string, document: object): Promise<AnyObject> {
    return this.#ask('POST', collectionPath(kind, namespace), { body: JSON.stringify(document) });
  }

  /** To a subresource. Whoever is told to come again later says so, and decides. */
  post(target: Target, document: object): Promise<AnyObject> {
    return this.#ask('POST', objectPath(target), { body: JSON.stringify(document), retries: 0 });
  }

  get(target: Target): Promise<AnyObject> {
    return new PlaneClient(this.#send, this.#metaGroup).get(target);
  }

  /** Undefined where there is none. */
  find(target: Target): Promise<AnyObject | undefined> {
    return this.get(target).catch(unless('NotFound'));
  }

  replace(target: Target, document: object): Promise<AnyObject> {
    return this.#ask('PUT', objectPath(target), { body: JSON.stringify(document) });
  }

  patch(
    target: Target,
    type: PatchType,
    patch: unknown,
    more: Readonly<Record<string, string>> = {},
  ): Promise<AnyObject> {
    const body = JSON.stringify(patch);
    return this.#ask('PATCH', objectPath(target), { body, contentType: PATCH_TYPES[type] }, more);
  }

  /** Server-side apply. */
  apply(target: Target, document: object, force: boolean): Promise<AnyObject> {
    return this.patch(target, 'apply', document, { force: String(force) });
  }

  /** Gives what the plane answers: the object as it was or is, or a word that it is gone. */
  delete(target: Target, options: DeletionOptions): Promise<AnyObject> {
    const dryRun = this.#query.get('dryRun');
    const body = JSON.stringify({
      kind: 'DeleteOptions',
      apiVersion: `${this.#metaGroup}/v1`,
      ...options,
      ...(dryRun === null ? {} : { dryRun: [dryRun] }),
    });
    return this.#answer({ method: 'DELETE', target: objectPath(target), body });
  }

  #ask(
    method: PlaneRequest['method'],
    path: string,
    content: Pick<PlaneRequest, 'body' | 'contentType' | 'retries'>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<AnyObject> {
    const query = new URLSearchParams(this.#query);
    for (const [name, value] of Object.entries(more)) query.set(name, value);
    return this.#answer({ method, target: query.size === 0 ? path : `${path}?${query}`, ...content });
  }

  async #answer(request: PlaneRequest): Promise<AnyObject> {
    const { status, body, headers } = await this.#send(request);
    await this.#tellWarnings(headers?.warning);
    const answer = JSON.parse(body.toString()) as AnyObject;
    if (status >= 400) throw refusalIn(status, answer);
    return answer;
  }

  async #tellWarnings(header: string | readonly string[] | undefined): Promise<void> {
    const text = typeof header === 'string' ? header : (header ?? []).join(', ');
    for (const [, quoted = ''] of text.matchAll(/\b299 [^ ]+ "((?:[^"\\]|\\.)*)"/g)) {
      const warning = quoted.replaceAll(/\\(.)/g, '$1');
      if (this.#told.has(warning)) continue;
      this.#told.add(warning);
      await write(this.#io.stderr, `Warning: ${warning}\n`);
    }
  }
}

/** The same refusal, with what was being done to what: `error when creating "web.yaml": …`. */
export const whileDoing =
  (doing: string, source: string) =>
  (error: unknown): never => {
    if (!(error instanceof ApiError)) throw error;
    const message = `error when ${doing} ${JSON.stringify(source)}: ${error.message}`;
    throw new ApiError(error.reason, message, error.details, error.code);
  };
