import { describe, expect, it } from 'vitest';
import { userNamed } from '../api/user.ts';
import { TokenRequest } from '../kinds/authentication/v1/token-request.ts';
import { builtInCatalogue } from '../kinds/built-in.ts';
import { ServiceAccount } from '../kinds/core/config/service-account.ts';
import { Namespace } from '../kinds/core/namespace/namespace.ts';
import { Pod } from '../kinds/core/pod/pod.ts';
import { PriorityClass } from '../kinds/scheduling/priority-class.ts';
import type { PostedType } from '../registry/admission.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { zooType } from '../registry/test-kinds.ts';
import { admissionRequest } from '../registry/write.ts';
import { type Vocabulary, vocabularies } from '../vocabulary/vocabulary.ts';
import { Rounds } from './rounds.ts';
import { onAny, onKind, onPosted, onSubresource } from './rule.ts';

function typeOf(group: string, plural: string, vocabulary = vocabularies.platform): ResourceType {
  const type = builtInCatalogue(vocabulary).kind({ group, plural })?.storage;
  if (!type) throw new Error(`there is no ${plural}`);
  return type;
}

const pods = typeOf('', 'pods');

describe('a rule about a kind', () => {
  it('is about the objects themselves, not about what is below them', () => {
    const { matches } = onKind(Pod).validate({});
    expect([matches(pods, ''), matches(pods, 'status'), matches(typeOf('', 'nodes'), '')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('finds its kind by whatever name it is served', () => {
    const { matches } = onKind(PriorityClass).validate({});
    for (const vocabulary of Object.values(vocabularies)) {
      expect(matches(typeOf(vocabulary.groups.scheduling, 'priorityclasses', vocabulary), '')).toBe(true);
    }
    // Those that have a declaration for each vocabulary cannot be named by a rule.
    const declared = (vocabulary: Vocabulary) =>
      [...builtInCatalogue(vocabulary).kinds()].map(({ storage }) => storage);
    const original = new Set(declared(vocabularies.kubernetes).map(({ schema }) => schema));
    const others = declared(vocabularies.platform).filter(({ schema }) => !original.has(schema));
    expect(others.map(({ kind }) => kind)).toEqual(['CustomResourceDefinition']);
  });

  it('is not about another kind that has the name', () => {
    const custom = zooType('pods', 'v1', { group: '', kind: 'Pod' });
    expect(onKind(Pod).validate({}).matches(custom, '')).toBe(false);
  });

  it('can be about one subresource', () => {
    const { matches } = onSubresource(Pod, 'status').mutate({});
    expect([matches(pods, ''), matches(pods, 'status'), matches(pods, 'binding')]).toEqual([false, true, false]);
  });
});

it('a rule about every kind is about those that nobody has heard of', () => {
  const namespaced = onAny((type) => type.namespaced).mutate({});
  expect(namespaced.matches(zooType('lions', 'v1'), '')).toBe(true);
  expect(namespaced.matches(typeOf('', 'namespaces'), '')).toBe(false);
  expect(onAny().validate({}).matches(zooType('lions', 'v1'), 'scale')).toBe(true);
});

it('what is done about writes is done about creations and updates that nothing else is said of', () => {
  const [write, create] = [(): void => {}, (): void => {}];
  expect(onKind(Namespace).mutate({ write }).acts).toEqual({ CREATE: write, UPDATE: write });
  const { acts } = onKind(Namespace).validate({ write, create, delete: write });
  expect(acts.CREATE).toBe(create);
  expect(acts).toEqual({ CREATE: create, UPDATE: write, DELETE: write });
});

it('a rule about something posted leaves other things alone that are posted there', () => {
  const seen: unknown[] = [];
  const rule = onPosted(TokenRequest, ServiceAccount, 'token').validate({
    create: ({ object }) => void seen.push(object),
  });
  const post = (posted: PostedType | undefined): void => {
    const place = {
      operation: 'CREATE',
      type: typeOf('', 'serviceaccounts'),
      subresource: 'token',
      namespace: '',
      name: 'a',
    } as const;
    const asked = { ...place, posted, object: undefined, oldObject: undefined };
    void rule.acts.CREATE?.(admissionRequest(asked, { user: userNamed('someone', []) }), new Rounds());
  };
  post(undefined);
  post({ group: '', version: 'v1', kind: 'Namespace', schema: Namespace });
  expect(seen).toHaveLength(0);
  post({ group: '', version: 'v1', kind: 'TokenRequest', schema: TokenRequest });
  expect(seen).toHaveLength(1);
});
