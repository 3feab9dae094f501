import { listOf } from '../../kinds/meta/list.ts';
import { DeleteOptions } from '../../kinds/meta/options.ts';
import { Status } from '../../kinds/meta/status.ts';
import { WatchEvent } from '../../kinds/meta/watch-event.ts';
import type { ResourceType, Verb } from '../../registry/resource-type.ts';
import { type Node, struct } from '../../schema/schema.ts';
import type { Method } from './endpoint.ts';

/** How a verb looks from outside. */
export interface VerbFacts {
  readonly method: Method;
  readonly action: string;
  /** What the name of the operation begins with. */
  readonly word: string;
  /** `_` stands for the kind. */
  readonly description: string;
  /** Statuses of success. */
  readonly statuses: readonly number[];
  /** What is sent, given what the path is about; absent: nothing. */
  takes?(about: Node): Node;
  readonly bodyRequired?: boolean;
  gives(about: Node, type: ResourceType): Node;
}

/** Stands for a patch of any of the types: an object or a list of operations. */
const Patch = struct(
  'meta.v1.Patch',
  {},
  {
    description:
      'Changes to an object: a list of JSON patch operations, or an object that is merged or applied, by the content type.',
  },
);

const itself = (about: Node): Node => about;

export const VERBS: Readonly<Record<Verb, VerbFacts>> = {
  create: {
    method: 'post',
    action: 'post',
    word: 'create',
    description: 'Create a _.',
    statuses: [200, 201, 202],
    takes: itself,
    bodyRequired: true,
    gives: itself,
  },
  delete: {
    method: 'delete',
    action: 'delete',
    word: 'delete',
    description: 'Delete a _.',
    statuses: [200, 202],
    takes: () => DeleteOptions,
    gives: (about, { strategy }) => (strategy.deleteReturnsObject ? about : Status),
  },
  deletecollection: {
    method: 'delete',
    action: 'deletecollection',
    word: 'delete',
    description: 'Delete every _ that matches.',
    statuses: [200],
    takes: () => DeleteOptions,
    gives: () => Status,
  },
  get: {
    method: 'get',
    action: 'get',
    word: 'read',
    description: 'Read a _.',
    statuses: [200],
    gives: itself,
  },
  list: {
    method: 'get',
    action: 'list',
    word: 'list',
    description: 'List or watch objects of kind _.',
    statuses: [200],
    gives: (_about, { schema }) => listOf(schema),
  },
  patch: {
    method: 'patch',
    action: 'patch',
    word: 'patch',
    description: 'Change part of a _.',
    statuses: [200, 201],
    takes: () => Patch,
    bodyRequired: true,
    gives: itself,
  },
  update: {
    method: 'put',
    action: 'put',
    word: 'replace',
    description: 'Replace a _.',
    statuses: [200, 201],
    takes: itself,
    bodyRequired: true,
    gives: itself,
  },
  watch: {
    method: 'get',
    action: 'watch',
    word: 'watch',
    description: 'Watch a _. Listing with watch=true does the same.',
    statuses: [200],
    gives: () => WatchEvent,
  },
};
