import type { CommandTable } from '../frame/command.ts';

/** Commands that are about the configuration of clients. */
export const CONFIGURING: CommandTable = {
  'config view': {
    summary: 'Show the client configuration',
    load: async () => (await import('./config/view.ts')).view,
  },
  'config current-context': {
    summary: 'Show the name of the current context',
    load: async () => (await import('./config/contexts.ts')).currentContext,
  },
  'config get-contexts': {
    summary: 'Show contexts',
    load: async () => (await import('./config/contexts.ts')).getContexts,
  },
  'config use-context': {
    summary: 'Make a context the current one',
    load: async () => (await import('./config/contexts.ts')).useContext,
  },
  'config use': {
    summary: 'The same as use-context',
    load: async () => (await import('./config/contexts.ts')).useContext,
  },
  'config rename-context': {
    summary: 'Give a context another name',
    load: async () => (await import('./config/contexts.ts')).renameContext,
  },
  'config get-clusters': {
    summary: 'Show the names of clusters',
    load: async () => (await import('./config/entries.ts')).getClusters,
  },
  'config get-users': {
    summary: 'Show the names of users',
    load: async () => (await import('./config/entries.ts')).getUsers,
  },
  'config set-cluster': {
    summary: 'Set fields of a cluster',
    load: async () => (await import('./config/set-cluster.ts')).setCluster,
  },
  'config set-credentials': {
    summary: 'Set fields of a user',
    load: async () => (await import('./config/set-credentials.ts')).setCredentials,
  },
  'config set-context': {
    summary: 'Set fields of a context',
    load: async () => (await import('./config/set-context.ts')).setContext,
  },
  'config delete-cluster': {
    summary: 'Remove a cluster',
    load: async () => (await import('./config/entries.ts')).deleteCluster,
  },
  'config delete-user': {
    summary: 'Remove a user',
    load: async () => (await import('./config/entries.ts')).deleteUser,
  },
  'config delete-context': {
    summary: 'Remove a context',
    load: async () => (await import('./config/entries.ts')).deleteContext,
  },
  'config set': {
    summary: 'Set one value',
    load: async () => (await import('./config/property.ts')).set,
  },
  'config unset': {
    summary: 'Take one value away',
    load: async () => (await import('./config/property.ts')).unset,
  },
  join: {
    summary: 'Make this machine a node of a plane that only a token is known of',
    load: async () => (await import('./join.ts')).join,
  },
};
