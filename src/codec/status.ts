import type { ApiError } from '../api/errors.ts';

/** An error as clients see it. The only place that renders one. */
export function statusOf({ message, reason, code, details, metadata }: ApiError): object {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(hasDetails(details) ? { details } : {}),
    code,
  };
}

const hasDetails = (details: object): boolean => Object.keys(details).length > 0;

/** What a delete answers where it does not answer the object. */
export const successStatus = (details: { name: string; group?: string; kind: string; uid: string }): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  details,
});

/** What an action answers that makes nothing to show. */
export const doneStatus = (code: number): object => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code,
});
