import type { HookContext } from '../../registry/resource-type.ts';
import type { Draft } from '../../schema/draft.ts';
import { formatTime } from '../../schema/time.ts';
import type { APIService } from './api-service.ts';

/** A version without a service behind it is this server's own, and there from the start. */
export function prepareAPIService({ spec, status }: Draft<APIService>, { runtime }: HookContext): void {
  if (spec.service) return;
  status.conditions = [
    {
      type: 'Available',
      status: 'True',
      lastTransitionTime: formatTime(runtime.now()),
      reason: 'Local',
      message: 'Local APIServices are always available',
    },
  ];
}
