import type { Format } from '../../codec/negotiation.ts';
import { encodeProtobuf, encodeWatchFrame, envelop } from '../../codec/protobuf.ts';
import { Status } from '../../meta/status.ts';
import { apiVersionOf } from '../../registry/incoming.ts';
import type { StoredBytes } from '../../registry/renderings.ts';
import type { ApiObject, ResourceType } from '../../registry/resource-type.ts';
import { hubOf } from '../../registry/versions.ts';
import type { Query } from '../../request/request-info.ts';
import { canonicalise } from '../../schema/derive/canonical.ts';
import { partialMetadata, TableRenderer } from '../read/table.ts';
import { messagesFor, metaVersionOf } from '../render.ts';
import type { Service } from '../service.ts';
import { type EventType, frame } from './watch-frames.ts';

type Annotations = Readonly<Record<string, string>>;

/** How a watcher is told of objects. */
export interface EventEncoding {
  /**
   * Under equal names one version of a type has equal frames, which watchers can share; undefined: each watcher has its
   * own.
   */
  readonly name: string | undefined;
  /** A frame is no more than what is there already, side by side: to keep it would save nothing. */
  readonly isCheap?: boolean;
  /** The object as an event holds it. */
  object(stored: StoredBytes): Buffer;
  /** An object that holds nothing but the version up to which everything was sent, and annotations if there are any. */
  mark(revision: number, annotations?: Annotations): Buffer;
  /** A Status as an event holds it. */
  status(status: object): Buffer;
  /** One event around an object, in parts which follow each other. */
  frame(type: EventType, object: Buffer): readonly Buffer[];
}

/** The encoding in which a watch of the type is answered. */
export function eventEncoding(service: Service, type: ResourceType, format: Format, query: Query): EventEncoding {
  if (format.media === 'protobuf') return binaryEncoding(service, type, format);
  if (format.rendering === 'table') return tableEncoding(service, type, format, query);
  return format.rendering === 'metadata' ? metadataEncoding(service, type, format) : jsonEncoding(service, type);
}

const jsonOf = (value: object): Buffer => Buffer.from(JSON.stringify(value));

function emptyObject(type: ResourceType, revision: number, annotations: Annotations | undefined): ApiObject {
  const metadata = { resourceVersion: String(revision), ...(annotations && { annotations }) };
  return canonicalise(type.schema, { kind: type.kind, apiVersion: apiVersionOf(type), metadata }).value;
}

const jsonEncoding = ({ objects }: Service, type: ResourceType): EventEncoding => ({
  name: 'json',
  isCheap: true,
  object: (stored) => objects.renderings.bytesIn(type, stored),
  mark: (revision, annotations) => jsonOf(emptyObject(type, revision, annotations)),
  status: jsonOf,
  frame,
});

function metadataEncoding(service: Service, type: ResourceType, format: Format): EventEncoding {
  const apiVersion = metaVersionOf(service, format);
  const render = (object: ApiObject): Buffer => jsonOf(partialMetadata(object, apiVersion));
  return {
    name: `json ${apiVersion}`,
    object: (stored) => render(service.objects.inBytes(stored)),
    mark: (revision, annotations) => render(emptyObject(type, revision, annotations)),
    status: jsonOf,
    frame,
  };
}

/** Only the first table a watcher is sent says what the columns are. */
function tableEncoding(service: Service, type: ResourceType, format: Format, query: Query): EventEncoding {
  const { vocabulary, runtime } = service;
  let first = true;
  const table = (render: (renderer: TableRenderer, header: boolean) => object): Buffer => {
    const rendered = render(new TableRenderer(type, format, query, vocabulary, runtime.now()), first);
    first = false;
    return jsonOf(rendered);
  };
  return {
    name: undefined,
    object(stored) {
      const object = service.objects.inBytes(stored);
      const { resourceVersion } = object.metadata;
      return table((renderer, header) => renderer.table([object], { resourceVersion }, header));
    },
    mark(revision, annotations) {
      const object = emptyObject(type, revision, annotations);
      return table((renderer, header) => renderer.mark(object, annotations !== undefined, header));
    },
    status: jsonOf,
    frame,
  };
}

function binaryEncoding(service: Service, type: ResourceType, format: Format): EventEncoding {
  const messages = messagesFor(service, type, format);
  const { apiVersion, kind } = messages;
  const object = (stored: StoredBytes): Buffer => envelop(apiVersion, kind, messages.of(stored));
  return {
    name: format.rendering === 'metadata' ? `protobuf ${apiVersion}` : 'protobuf',
    object,
    mark: (revision, annotations) => object({ bytes: jsonOf(emptyObject(hubOf(type), revision, annotations)) }),
    status: (status) => encodeProtobuf(Status, 'v1', 'Status', canonicalise(Status, status).value),
    frame: (type, object) => [encodeWatchFrame(type, object)],
  };
}
