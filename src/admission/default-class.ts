import { internalBecause } from '../api/errors.ts';
import type { AdmissionRequest } from '../registry/admission.ts';
import type { Resource } from '../registry/catalogue.ts';
import type { Objects } from '../registry/objects.ts';
import { refusal } from './refusal.ts';

/** Classes of one kind, and how one is marked as the default. */
export interface Classes extends Resource {
  /** The kind, as many. */
  readonly kinds: string;
  /** Annotations, any of which marks a class when it says `true`. */
  readonly marks: readonly string[];
}

/** The name of the class that is marked as the default, if there is one. Several are refused: nobody could tell which is meant. */
export function defaultClass(request: AdmissionRequest, objects: Objects, classes: Classes): string | undefined {
  const [first, ...more] = objects
    .list(classes)
    .filter(({ metadata }) => classes.marks.some((mark) => metadata.annotations?.[mark] === 'true'));
  if (more.length > 0) {
    const { message } = internalBecause(`${more.length + 1} default ${classes.kinds} were found`);
    throw refusal(request, message);
  }
  return first?.metadata.name;
}
