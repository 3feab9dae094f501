import type { CommandTable } from '../frame/command.ts';

/** Commands that talk with what runs. */
export const STREAMING: CommandTable = {
  attach: {
    summary: 'Join the process that a container was started with',
    load: async () => (await import('./attach.ts')).attach,
  },
  cp: {
    summary: 'Copy files and folders to containers and from them',
    load: async () => (await import('./cp.ts')).cp,
  },
  exec: {
    summary: 'Run a command in a container',
    load: async () => (await import('./exec.ts')).exec,
  },
  logs: {
    summary: 'Show what a container has written',
    load: async () => (await import('./logs.ts')).logs,
  },
  'port-forward': {
    summary: 'Forward ports of this machine to a pod',
    load: async () => (await import('./port-forward.ts')).portForward,
  },
  proxy: {
    summary: 'Pass requests of this machine on to the plane',
    load: async () => (await import('./proxy.ts')).proxy,
  },
};
