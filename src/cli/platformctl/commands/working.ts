import type { CommandTable } from '../frame/command.ts';

/** Commands that watch over, explain and operate what there is. */
export const WORKING: CommandTable = {
  'auth can-i': {
    summary: 'Tell whether something may be done',
    load: async () => (await import('./auth-can-i.ts')).authCanI,
  },
  'auth reconcile': {
    summary: 'Make roles and bindings allow what files say',
    load: async () => (await import('./auth-reconcile.ts')).authReconcile,
  },
  'auth who-can': {
    summary: 'Show who may do something, and by what',
    load: async () => (await import('./auth-who-can.ts')).authWhoCan,
  },
  'auth whoami': {
    summary: 'Show who the plane takes the caller for',
    load: async () => (await import('./auth-whoami.ts')).authWhoami,
  },
  'auth why': {
    summary: 'Tell why a request was refused, or would be',
    load: async () => (await import('./auth-why.ts')).authWhy,
  },
  blame: {
    summary: 'Show who owns the fields of an object, and who set them',
    load: async () => (await import('./past/blame.ts')).blame,
  },
  'certificate approve': {
    summary: 'Approve requests for certificates',
    load: async () => (await import('./certificate.ts')).certificateApprove,
  },
  'certificate deny': {
    summary: 'Deny requests for certificates',
    load: async () => (await import('./certificate.ts')).certificateDeny,
  },
  cordon: {
    summary: 'Mark a node as not schedulable',
    load: async () => (await import('./cordon.ts')).cordon,
  },
  history: {
    summary: 'Show the versions of an object, and who made each',
    load: async () => (await import('./past/history.ts')).history,
  },
  'explain-request': {
    summary: 'Tell what became of a request that was slow, waited or was turned away',
    load: async () => (await import('./load/explain-request.ts')).explainRequest,
  },
  hot: {
    summary: 'Show who writes most, and which fields are fought over',
    load: async () => (await import('./load/hot.ts')).hot,
  },
  restore: {
    summary: 'Bring back an old state of an object, or one that was deleted',
    load: async () => (await import('./past/restore.ts')).restore,
  },
  'why-deleting': {
    summary: 'Show what keeps an object or a namespace from going',
    load: async () => (await import('./past/why-deleting.ts')).whyDeleting,
  },
  describe: {
    summary: 'Show what there is to know about an object or a group of them',
    load: async () => (await import('./describe.ts')).describe,
  },
  drain: {
    summary: 'Empty a node before work on it',
    load: async () => (await import('./drain.ts')).drain,
  },
  events: {
    summary: 'Show what has happened',
    load: async () => (await import('./events.ts')).events,
  },
  'rollout history': {
    summary: 'Show the revisions of a workload',
    load: async () => (await import('./rollout-history.ts')).rolloutHistory,
  },
  'rollout pause': {
    summary: 'Keep a deployment from being rolled out',
    load: async () => (await import('./rollout-changes.ts')).rolloutPause,
  },
  'rollout restart': {
    summary: 'Have the pods of a workload made anew',
    load: async () => (await import('./rollout-changes.ts')).rolloutRestart,
  },
  'rollout resume': {
    summary: 'Let a paused deployment be rolled out again',
    load: async () => (await import('./rollout-changes.ts')).rolloutResume,
  },
  'rollout status': {
    summary: 'Show how far a rollout is, and wait for it',
    load: async () => (await import('./rollout-status.ts')).rolloutStatus,
  },
  'rollout undo': {
    summary: 'Go back to an earlier revision',
    load: async () => (await import('./rollout-undo.ts')).rolloutUndo,
  },
  'top node': {
    summary: 'Show how much nodes use',
    load: async () => (await import('./top.ts')).topNode,
  },
  'top nodes': {
    summary: 'The same as top node',
    load: async () => (await import('./top.ts')).topNode,
  },
  'top pod': {
    summary: 'Show how much pods use',
    load: async () => (await import('./top.ts')).topPod,
  },
  'top pods': {
    summary: 'The same as top pod',
    load: async () => (await import('./top.ts')).topPod,
  },
  uncordon: {
    summary: 'Mark a node as schedulable',
    load: async () => (await import('./cordon.ts')).uncordon,
  },
  wait: {
    summary: 'Wait until objects are there, gone, or in a condition',
    load: async () => (await import('./wait.ts')).wait,
  },
};
