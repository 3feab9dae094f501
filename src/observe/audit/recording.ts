import type { UserInfo } from '../../api/user.ts';
import { headerText, headerValue } from '../../http/headers.ts';
import type { Reply } from '../../http/message.ts';
import type { ObjectReference } from '../../kinds/audit/event.ts';
import type { UserInfo as UserFields } from '../../kinds/authentication/v1/user-info.ts';
import { Status } from '../../meta/status.ts';
import type { AnnotationLevel } from '../../registry/admission.ts';
import type { RequestContext } from '../../request/context.ts';
import type { DocumentType, RequestRecord } from '../../request/record.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { formatMicroTime } from '../../schema/time.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { AuditEvent, type EventBodies, type EventFields } from './event.ts';
import { covers, type Stage } from './levels.ts';
import type { Treatment } from './policy.ts';
import { requestText } from './request-text.ts';
import { sourceAddresses } from './source-addresses.ts';

/** A key is a domain and a name. */
const KEY = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[\w.-]+$/i;
const LONGEST_USER_AGENT = 1024;

/** What does not change on the way of a request. */
interface Origin {
  readonly user: UserFields;
  readonly sourceIPs?: string[];
  readonly userAgent?: string;
}

interface SentDocument {
  readonly value: unknown;
  readonly type: DocumentType | undefined;
}

/** What is known of one request that is recorded; events are made of it. */
export class Recording implements RequestRecord {
  readonly treatment: Treatment;
  /** A defect of the server ended the request. */
  failed = false;
  readonly #context: RequestContext;
  readonly #vocabulary: Vocabulary;
  /** Milliseconds since the epoch. */
  readonly #received: number;
  readonly #annotations = new Map<string, string>();
  readonly #origin: Origin;
  #sent: SentDocument | undefined;
  #requestText: string | undefined;

  constructor(context: RequestContext, treatment: Treatment, received: number, vocabulary: Vocabulary) {
    this.#context = context;
    this.#origin = originOf(context);
    this.treatment = treatment;
    this.#received = received;
    this.#vocabulary = vocabulary;
  }

  /** A key that is none, and one that something was said under already, is left out. */
  annotate(key: string, value: string, level: AnnotationLevel): void {
    if (!covers(this.treatment.level, level) || !KEY.test(key) || this.#annotations.has(key)) return;
    this.#annotations.set(key, value);
  }

  document(value: unknown, type?: DocumentType): void {
    this.#sent = { value, type };
  }

  get received(): number {
    return this.#received;
  }

  /** `at`: milliseconds since the epoch. `reply`: absent until there is one. */
  event(stage: Stage, at: number, reply?: Reply, responseObject?: string): AuditEvent {
    const { request, info, auditId, user, impersonator } = this.#context;
    const { level } = this.treatment;
    const { user: sender, ...from } = this.#origin;
    const fields: EventFields = {
      kind: 'Event',
      apiVersion: `${this.#vocabulary.groups.audit}/v1`,
      level,
      auditID: auditId,
      stage,
      requestURI: request.target,
      verb: info.verb,
      user: sender,
      ...(impersonator && user ? { impersonatedUser: userFields(user) } : {}),
      ...from,
      ...(info.resourceRequest ? { objectRef: this.#reference(info) } : {}),
      ...(reply ? { responseStatus: responseStatus(reply) } : {}),
      requestReceivedTimestamp: formatMicroTime(this.#received),
      stageTimestamp: formatMicroTime(at),
      ...this.#annotated(),
    };
    return new AuditEvent(fields, this.#bodies(responseObject));
  }

  /** The document completes what the path does not say, such as the name of what is created. */
  #reference({ resource, namespace, name, group, version, subresource }: RequestInfo): ObjectReference {
    const metadata = this.#sent?.type ? metadataOf(this.#sent.value) : {};
    return present({
      resource,
      namespace: namespace || textIn(metadata, 'namespace'),
      name: name || textIn(metadata, 'name'),
      uid: textIn(metadata, 'uid'),
      apiGroup: group,
      apiVersion: version,
      resourceVersion: textIn(metadata, 'resourceVersion'),
      subresource,
    });
  }

  #bodies(responseObject: string | undefined): EventBodies {
    if (!this.#sent || !covers(this.treatment.level, 'Request')) return { responseObject };
    const { value, type } = this.#sent;
    this.#requestText ??= requestText(value, type, this.treatment.omitManagedFields);
    return { requestObject: this.#requestText, responseObject };
  }

  #annotated(): Pick<EventFields, 'annotations'> {
    const { decision, user, impersonator } = this.#context;
    const keys = this.#vocabulary.auditAnnotations;
    const all = new Map([...((impersonator ?? user)?.annotations ?? []), ...this.#annotations]);
    if (decision?.decision !== 'allow' && decision?.problem !== undefined) all.set(keys.reason, 'internal error');
    else if (decision) {
      all.set(keys.decision, decision.decision === 'allow' ? 'allow' : 'forbid').set(keys.reason, decision.reason);
    }
    return all.size === 0 ? {} : { annotations: Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1))) };
  }
}

/** Asked for before anyone acts as someone else: the user is whoever sent the request. */
function originOf({ request, user }: RequestContext): Origin {
  const userAgent = shortened(headerText(headerValue(request, 'user-agent') ?? '') ?? '');
  const sourceIPs = sourceAddresses(request);
  return {
    user: user ? userFields(user) : {},
    // Without a connection, as for control loops, there are none.
    ...(sourceIPs.length === 0 ? {} : { sourceIPs }),
    ...(userAgent === '' ? {} : { userAgent }),
  };
}

const shortened = (text: string): string =>
  text.length > LONGEST_USER_AGENT ? `${text.slice(0, LONGEST_USER_AGENT)}...TRUNCATED` : text;

const userFields = ({ name, uid, groups, extra }: UserInfo): UserFields => ({
  username: name,
  ...(uid === '' ? {} : { uid }),
  ...(groups.length === 0 ? {} : { groups: [...groups] }),
  ...(extra.size === 0 ? {} : { extra: Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])) }),
});

/** What the client was told, in short. */
function responseStatus({ status: code, outcome }: Reply): NonNullable<EventFields['responseStatus']> {
  if (!outcome) return { metadata: {}, code };
  const { status, message, reason, details } = canonicalise(Status, outcome).value;
  return {
    metadata: {},
    ...present({ status, message, reason }),
    ...(details ? { details } : {}),
    code,
  };
}

/** Without what is empty. */
function present<T extends Readonly<Record<string, string | undefined>>>(texts: T): Partial<T> {
  const kept: Partial<T> = {};
  for (const key in texts) if (texts[key]) kept[key] = texts[key];
  return kept;
}

function metadataOf(document: unknown): object {
  if (typeof document !== 'object' || document === null || !('metadata' in document)) return {};
  const { metadata } = document;
  return typeof metadata === 'object' && metadata !== null ? metadata : {};
}

function textIn(metadata: object, field: string): string {
  const value = Object.entries(metadata).find(([key]) => key === field)?.[1];
  return typeof value === 'string' ? value : '';
}
