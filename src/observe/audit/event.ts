import type { Event } from '../../kinds/audit/event.ts';
import type { Status } from '../../meta/status.ts';

/** All that an event says but the two bodies. */
export interface EventFields extends Omit<Event, 'requestObject' | 'responseObject' | 'responseStatus'> {
  readonly responseStatus?: Omit<Status, 'kind' | 'apiVersion'>;
}

/** The bodies as JSON texts on one line. They are put into the event as they are, never parsed for it. */
export interface EventBodies {
  readonly requestObject?: string | undefined;
  readonly responseObject?: string | undefined;
}

/** One stage of one request, as it is told to others. */
export class AuditEvent {
  readonly fields: EventFields;
  readonly bodies: EventBodies;
  #text: string | undefined;

  constructor(fields: EventFields, bodies: EventBodies) {
    this.fields = fields;
    this.bodies = bodies;
  }

  /** JSON on one line, made when first asked for. */
  get text(): string {
    this.#text ??= this.#encode();
    return this.#text;
  }

  get bytes(): number {
    return Buffer.byteLength(this.text);
  }

  #encode(): string {
    const { requestReceivedTimestamp, stageTimestamp, annotations, ...first } = this.fields;
    const { requestObject, responseObject } = this.bodies;
    const request = requestObject === undefined ? '' : `,"requestObject":${requestObject}`;
    const response = responseObject === undefined ? '' : `,"responseObject":${responseObject}`;
    const last = JSON.stringify({ requestReceivedTimestamp, stageTimestamp, annotations });
    return `${JSON.stringify(first).slice(0, -1)}${request}${response},${last.slice(1)}`;
  }
}
