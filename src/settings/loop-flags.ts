import { boolean, duration, integer, list, optionalText } from './flag.ts';

/** Of servers and of `platform-apiserver controllers` alike. */
export const TERMINATED_POD_GC_THRESHOLD = integer(
  'terminated-pod-gc-threshold',
  0,
  2 ** 31 - 1,
  12_500,
  'how many pods that have ended are kept before the oldest are deleted; 0 for all',
);

/** What the control loops inside of a server do. */
export const LOOP_FLAGS = {
  controllers: list(
    'controllers',
    'LOOPS',
    ['*'],
    'control loops to run: * for all that are on by default, foo for one, -foo for all but one, -* for none',
  ),
  enableGarbageCollector: boolean(
    'enable-garbage-collector',
    true,
    'delete objects with their owners; otherwise what a delete says of dependents is ignored',
  ),
  terminatedPodGcThreshold: TERMINATED_POD_GC_THRESHOLD,
  eventTtl: duration('event-ttl', 3_600_000, 'how long events are kept after they were written; 0 for good'),
  rootCaFile: optionalText(
    'root-ca-file',
    'FILE',
    'PEM bundle by which clients inside the plane verify the server, in every namespace and in token secrets; by default what it is verified by itself',
  ),
} as const;
