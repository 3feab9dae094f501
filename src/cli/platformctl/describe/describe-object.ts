import type { AnyObject, PlaneClient } from '../../../client/plane-client.ts';
import type { ServedResource, ServedResources } from '../resources/served-resources.ts';
import { describerRow } from './describers.ts';
import { eventsOf, writeEvents } from './events.ts';
import { Plane } from './plane.ts';
import { Sheet } from './sheet.ts';
import type { Subject } from './subject.ts';

/** What is asked of descriptions. */
export interface DescriptionRequest {
  readonly showEvents: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Makes descriptions of objects. */
export class Descriptions {
  readonly #client: PlaneClient;
  readonly #resources: ServedResources;
  readonly #plane: Plane;

  constructor(client: PlaneClient, resources: ServedResources) {
    this.#client = client;
    this.#resources = resources;
    this.#plane = new Plane(client, resources);
  }

  /** What people read about an object; throws the refusal where there is none. */
  async of(
    resource: ServedResource,
    namespace: string,
    name: string,
    { showEvents, now }: DescriptionRequest,
  ): Promise<string> {
    const { vocabulary } = this.#resources;
    const row = describerRow(vocabulary, resource.group, resource.kind);
    const read = row ? this.#inVersion(resource, row.version) : resource;
    const describer = row && read ? await row.load() : (await import('./generic.ts')).anyObject;
    const kind = read ?? resource;
    const object = await this.#client.get<AnyObject>({ kind, namespace, name });
    const subject: Subject<AnyObject> = { object, resource: kind, plane: this.#plane, vocabulary, now };
    const sheet = new Sheet();
    await describer.describe(sheet, subject);
    if (describer.events && showEvents) writeEvents(sheet, await eventsOf(subject), now);
    return sheet.toString();
  }

  /** The resource in the version that a description reads; undefined where it is not served. */
  #inVersion({ group, plural }: ServedResource, version: string): ServedResource | undefined {
    return this.#resources.all.find((one) => one.group === group && one.plural === plural && one.version === version);
  }
}
