import type { HttpRequest, Reply } from '../../http/message.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { Objects } from '../../registry/objects.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { Struct, TypeMeta } from '../../schema/schema.ts';

/** Where connectors find the objects that tell them where to go. */
export interface Whereabouts {
  readonly objects: Objects;
  readonly catalogue: Catalogue;
}

/** Someone wants to be put through to a node, a pod or a service. */
export interface ConnectCall<O extends TypeMeta = TypeMeta> extends Whereabouts {
  readonly request: HttpRequest;
  readonly info: RequestInfo;
  /** What the query says. */
  readonly options: O;
}

/** A subresource that leads out of the server: `log`, `exec`, `proxy` and the like. */
export interface Connector<O extends TypeMeta = TypeMeta> {
  readonly group: string;
  readonly plural: string;
  readonly subresource: string;
  /** The kind that the query is read as, of the same group as the resource. */
  readonly options: { readonly version: string; readonly kind: string; readonly schema: Struct<O> };
  /** A path may follow, which is the field `path` of the options; then every method is as good as any other. */
  readonly takesPath?: boolean;
  /** False: it is only a read, which admission is not asked about. */
  readonly admission?: boolean;
  connect(call: ConnectCall<O>): Promise<Reply>;
}

export const connectorKey = (group: string, plural: string, subresource: string): string =>
  `${group}/${plural}/${subresource}`;

export const connectorTable = (connectors: readonly Connector[]): ReadonlyMap<string, Connector> =>
  new Map(
    connectors.map((connector) => [connectorKey(connector.group, connector.plural, connector.subresource), connector]),
  );
