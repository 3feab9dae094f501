import { methodNotAllowed } from '../../api/errors.ts';
import type { Reply } from '../../http/message.ts';
import { apiVersionOf } from '../../registry/incoming.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { admissionRequest } from '../../registry/write.ts';
import type { TypeMeta } from '../../schema/schema.ts';
import type { ResourceContext, Service } from '../service.ts';
import { type Connector, connectorKey } from './connector.ts';
import { readQueryOptions } from './query-options.ts';

/** The connector that a subresource is, if it is one. */
export const connectorOf = (
  { connectors }: Service,
  { group, plural }: ResourceType,
  subresource: string,
): Connector | undefined => connectors.get(connectorKey(group, plural, subresource));

/** Puts a request through to where its subresource leads. Any verb, any answer. */
export async function handleConnect(service: Service, resource: ResourceContext): Promise<Reply> {
  const connector = connectorOf(service, resource.type, resource.context.info.subresource);
  if (!connector) throw methodNotAllowed();
  const { objects, catalogue } = service;
  const { request, info } = resource.context;
  const { version, kind, schema } = connector.options;
  const typeMeta = { kind, apiVersion: apiVersionOf({ group: connector.group, version }) };
  const path: Record<string, string> = connector.takesPath ? { path: info.rest.join('/') } : {};
  const options = readQueryOptions(schema, typeMeta, info.query, path);
  if (connector.admission !== false) await admit(service, resource, connector, options);
  return connector.connect({ objects, catalogue, request, info, options });
}

/** Admission may change the options, and refuse. */
async function admit(
  { registry }: Service,
  { context, type, user }: ResourceContext,
  { group, options }: Connector,
  connection: TypeMeta,
): Promise<void> {
  const { namespace, name, subresource } = context.info;
  const posted = { group, ...options };
  const asked = { operation: 'CONNECT', type, posted, subresource, namespace, name, object: undefined } as const;
  const request = {
    ...admissionRequest(
      { ...asked, oldObject: undefined },
      {
        user,
        warn: (text) => context.warn(text),
        annotate: (key, value, level) => context.annotate(key, value, level),
        called: (call) => context.called(call),
        waited: (milliseconds) => context.waited(milliseconds),
      },
    ),
    connection,
  };
  await registry.admit(request);
}
