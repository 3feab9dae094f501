import type { CustomResourceDefinition } from '../../kinds/apiextensions/custom-resource-definition.ts';
import type { Catalogue } from '../../registry/catalogue.ts';
import type { ObjectSource } from '../../registry/informer.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';
import { isTrue } from './conditions.ts';
import { type CustomKind, type CustomKindParts, customKind } from './custom-kind.ts';

export interface ServingParts extends CustomKindParts {
  readonly catalogue: Catalogue;
  readonly informer: ObjectSource;
  readonly vocabulary: Vocabulary;
  /** A definition that cannot be served, and why. */
  onError(definition: string, error: unknown): void;
}

/**
 * Keeps the catalogue in step with the stored definitions: what is established is served, what changes is replaced by a
 * kind that knows nothing of the old one, what is gone is no longer served. Every server does this by itself.
 */
export function serveDefinitions(parts: ServingParts): { close(): void } {
  const served = new Map<string, CustomKind>();
  const remove = (name: string): void => {
    const known = served.get(name);
    served.delete(name);
    if (known) parts.catalogue.remove(known.kind);
  };
  const update = (name: string, definition: CustomResourceDefinition): void => {
    if (!isTrue(definition, 'Established')) {
      remove(name);
      return;
    }
    const before = served.get(name);
    const next = customKind(definition, before, parts);
    if (!next || next === before) return;
    if (before) parts.catalogue.replace(next.kind);
    else parts.catalogue.add(next.kind);
    served.set(name, next);
  };
  return parts.informer.follow(
    { group: parts.vocabulary.groups.apiextensions, plural: 'customresourcedefinitions' },
    {
      onSet(definition: CustomResourceDefinition) {
        const { name = '' } = definition.metadata;
        try {
          update(name, definition);
        } catch (error) {
          parts.onError(name, error);
        }
      },
      onRemove: ({ metadata }) => remove(metadata.name ?? ''),
    },
  );
}
