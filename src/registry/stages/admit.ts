import { admissionRequest, type Write } from '../write.ts';

/** Mutating admission. It may put another draft in the place of the one it is given. */
export function admitChanges(write: Write): Promise<void> | undefined {
  const { parts, ref, type, live, draft, options, conversions } = write;
  const request = admissionRequest(
    {
      operation: live ? 'UPDATE' : 'CREATE',
      type,
      requestedAs: ref.type,
      subresource: live ? ref.subresource : '',
      namespace: live ? ref.namespace : (draft.metadata.namespace ?? ''),
      name: live ? ref.name : (draft.metadata.name ?? ''),
      object: draft,
      oldObject: live?.object,
      conversions,
    },
    options,
  );
  write.request = request;
  const take = (): void => {
    if (request.object) write.draft = request.object;
  };
  const waiting = parts.admission.mutate(request);
  if (waiting) return waiting.then(take);
  take();
  return undefined;
}

/** Validating admission: it sees the object as it will be stored, and can only refuse it. */
export function admitResult(write: Write): Promise<void> | undefined {
  const { parts, request, object, options } = write;
  if (!request) return undefined;
  const { operation, type, requestedAs, subresource, namespace, name, oldObject, over } = request;
  const final = admissionRequest(
    { operation, type, requestedAs, subresource, namespace, name, object, oldObject, over },
    options,
  );
  write.request = final;
  return parts.admission.validate(final) ?? undefined;
}
