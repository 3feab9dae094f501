import { apiVersionOfKind, type ServedKind } from '../../../client/served-kind.ts';
import type { Vocabulary } from '../../../vocabulary/vocabulary.ts';
import { CommandError } from '../frame/failure.ts';

/** A resource as it is served in one version, with all names that people call it by. */
export interface ServedResource extends ServedKind {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly ServedSubresource[];
}

export interface ServedSubresource {
  /** Such as `status`. */
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

/** `pods`, or `deployments.apps`: how messages name a resource. */
export const qualifiedName = ({ plural, group }: Pick<ServedKind, 'plural' | 'group'>): string =>
  group === '' ? plural : `${plural}.${group}`;

/** `pod/web`, `deployment.apps/web`: how messages name an object. */
export const objectName = ({ kind, group }: Pick<ServedKind, 'kind' | 'group'>, name: string): string =>
  `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${name}`;

/** A word that is no resource of the plane. What is remembered of a plane may be older than the resource. */
export class UnknownResource extends CommandError {}

/** What a plane serves, found by what people type. */
export class ServedResources {
  readonly vocabulary: Vocabulary;
  /** In the order of preference: of two resources with one name the first is meant. */
  readonly all: readonly ServedResource[];
  readonly #byName = new Map<string, ServedResource>();
  readonly #byKind = new Map<string, ServedResource>();

  constructor(all: readonly ServedResource[], vocabulary: Vocabulary) {
    this.all = all;
    this.vocabulary = vocabulary;
    // Plural names come before singular ones, and those before short ones, whatever resource they belong to.
    const namesInOrder = [
      ({ plural }: ServedResource) => [plural],
      ({ singular }: ServedResource) => [singular],
      ({ shortNames }: ServedResource) => shortNames,
    ];
    for (const namesOf of namesInOrder) {
      for (const resource of all) {
        for (const name of namesOf(resource)) {
          const { group, version } = resource;
          for (const text of [name, `${name}.${group}`, `${name}.${version}.${group}`]) this.#remember(text, resource);
        }
      }
    }
    for (const resource of all) this.#byKind.set(`${apiVersionOfKind(resource)} ${resource.kind}`, resource);
  }

  #remember(text: string, resource: ServedResource): void {
    const name = text.toLowerCase();
    if (name !== '' && !this.#byName.has(name)) this.#byName.set(name, resource);
  }

  /** `po`, `pod`, `pods`, `deployments.apps`, `deployments.v1.apps`, `Pod`. */
  find(text: string): ServedResource | undefined {
    return (
      this.#byName.get(text.toLowerCase()) ?? this.all.find(({ kind }) => kind.toLowerCase() === text.toLowerCase())
    );
  }

  named(text: string): ServedResource {
    const found = this.find(text);
    if (!found) throw new UnknownResource(`the server doesn't have a resource type "${text}"`);
    return found;
  }

  /** As `named`, where a word may stand for several, such as `all`. */
  selected(text: string): readonly ServedResource[] {
    const inCategory = this.preferred().filter(({ categories }) => categories.includes(text.toLowerCase()));
    return inCategory.length > 0 && !this.find(text) ? inCategory : [this.named(text)];
  }

  /** Each resource once, in its preferred version. */
  preferred(): readonly ServedResource[] {
    return this.all.filter((resource) => this.#byName.get(qualifiedName(resource).toLowerCase()) === resource);
  }

  findKind(apiVersion: string, kind: string): ServedResource | undefined {
    return this.#byKind.get(`${apiVersion} ${kind}`);
  }

  /** What an object says that it is. */
  ofKind(apiVersion: string, kind: string): ServedResource {
    const found = this.findKind(apiVersion, kind);
    if (found) return found;
    throw new UnknownResource(
      `resource mapping not found: no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  }
}
