import { listOf } from '../../meta/list.ts';
import { DeleteOptions } from '../../meta/options.ts';
import { Status } from '../../meta/status.ts';
import { WatchEvent } from '../../meta/watch-event.ts';
import type { ResourceType, Verb } from '../../registry/resource-type.ts';
import type { Node } from '../../schema/node.ts';
import { struct } from '../../schema/schema.ts';
import type { Method } from './endpoint.ts';

/** How a verb looks from outside. */
export interface VerbFacts {
  readonly method: Method;
  readonly action: string;
  /** What the name of the operation begins with. */
  readonly word: string;
  /** Given `a Pod` or `status of a Pod`, and the kind. */
  describe(object: string, kind: string): string;
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
    describe: (object) => `Create ${object}.`,
    statuses: [200, 201, 202],
    takes: itself,
    bodyRequired: true,
    gives: itself,
  },
  delete: {
    method: 'delete',
    action: 'delete',
    word: 'delete',
    describe: (object) => `Delete ${object}.`,
    statuses: [200, 202],
    takes: () => DeleteOptions,
    gives: (about, { strategy }) => (strategy.deleteReturnsObject ? about : Status),
  },
  deletecollection: {
    method: 'delete',
    action: 'deletecollection',
    word: 'delete',
    describe: (_object, kind) => `Delete all objects of kind ${kind} that match the selectors.`,
    statuses: [200],
    takes: () => DeleteOptions,
    gives: () => Status,
  },
  get: {
    method: 'get',
    action: 'get',
    word: 'read',
    describe: (object) => `Read ${object}.`,
    statuses: [200],
    gives: itself,
  },
  list: {
    method: 'get',
    action: 'list',
    word: 'list',
    describe: (_object, kind) => `List or watch objects of kind ${kind}.`,
    statuses: [200],
    gives: (_about, { schema }) => listOf(schema),
  },
  patch: {
    method: 'patch',
    action: 'patch',
    word: 'patch',
    describe: (object) => `Change parts of ${object}.`,
    statuses: [200, 201],
    takes: () => Patch,
    bodyRequired: true,
    gives: itself,
  },
  update: {
    method: 'put',
    action: 'put',
    word: 'replace',
    describe: (object) => `Replace ${object}.`,
    statuses: [200, 201],
    takes: itself,
    bodyRequired: true,
    gives: itself,
  },
  watch: {
    method: 'get',
    action: 'watch',
    word: 'watch',
    describe: (_object, kind) => `Watch objects of kind ${kind}; deprecated, list with watch=true instead.`,
    statuses: [200],
    gives: () => WatchEvent,
  },
};
