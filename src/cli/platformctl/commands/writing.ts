import type { CommandTable } from '../frame/command.ts';
import { CREATING } from './creating.ts';

/** Commands that change what there is. */
export const WRITING: CommandTable = {
  ...CREATING,
  apply: {
    summary: 'Make objects what files say',
    load: async () => (await import('./apply/apply.ts')).apply,
  },
  delete: {
    summary: 'Delete objects by file, by name, or by labels',
    load: async () => (await import('./delete/delete.ts')).deleteCommand,
  },
  patch: {
    summary: 'Change fields of objects',
    load: async () => (await import('./patch.ts')).patch,
  },
  replace: {
    summary: 'Replace objects with what files hold',
    load: async () => (await import('./replace.ts')).replace,
  },
  label: {
    summary: 'Change labels of objects',
    load: async () => (await import('./metadata/label.ts')).label,
  },
  annotate: {
    summary: 'Change annotations of objects',
    load: async () => (await import('./metadata/annotate.ts')).annotate,
  },
  'set image': {
    summary: 'Set images of containers',
    load: async () => (await import('./set/image.ts')).setImage,
  },
  'set env': {
    summary: 'Set environment variables of containers',
    load: async () => (await import('./set/env.ts')).setEnv,
  },
  'set resources': {
    summary: 'Set what containers ask for and may use',
    load: async () => (await import('./set/resources.ts')).setResources,
  },
  'set serviceaccount': {
    summary: 'Set the service account of pods',
    load: async () => (await import('./set/service-account.ts')).setServiceAccount,
  },
  'set sa': {
    summary: 'Set the service account of pods',
    load: async () => (await import('./set/service-account.ts')).setServiceAccount,
  },
  'set subject': {
    summary: 'Add users, groups and accounts to bindings',
    load: async () => (await import('./set/subject.ts')).setSubject,
  },
  'set selector': {
    summary: 'Set which pods services are for',
    load: async () => (await import('./set/selector.ts')).setSelector,
  },
  scale: {
    summary: 'Set how many replicas there are to be',
    load: async () => (await import('./scale.ts')).scale,
  },
  autoscale: {
    summary: 'Let the plane choose how many replicas there are',
    load: async () => (await import('./autoscale.ts')).autoscale,
  },
  expose: {
    summary: 'Create a service for the pods of an object',
    load: async () => (await import('./expose.ts')).expose,
  },
  taint: {
    summary: 'Change taints of nodes',
    load: async () => (await import('./taint.ts')).taint,
  },
  run: {
    summary: 'Create a pod that runs an image',
    load: async () => (await import('./run.ts')).run,
  },
  diff: {
    summary: 'Show what apply would change',
    load: async () => (await import('./diff.ts')).diff,
  },
  edit: {
    summary: 'Open objects in an editor',
    load: async () => (await import('./edit/edit.ts')).edit,
  },
  'apply view-last-applied': {
    summary: 'Show what was applied by a client the last time',
    load: async () => (await import('./apply/last-applied-commands.ts')).viewLastApplied,
  },
  'apply set-last-applied': {
    summary: 'Have objects remember what a file holds as applied last',
    load: async () => (await import('./apply/last-applied-commands.ts')).setLastApplied,
  },
  'apply edit-last-applied': {
    summary: 'Edit what was applied by a client the last time',
    load: async () => (await import('./apply/last-applied-commands.ts')).editLastApplied,
  },
};
