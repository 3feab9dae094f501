import { expect } from 'vitest';
import { Pod } from '../src/kinds/core/pod/pod.ts';
import { validatePod, validatePodCreate } from '../src/kinds/core/pod/pod-validation.ts';
import { changed, problemsOf } from './problems-of.ts';

/** Pods to hold against the rules, plain but for what a test is about. */

export const podRules = { validate: validatePod, validateCreate: validatePodCreate };

export const container = {
  name: 'main',
  image: 'i',
  imagePullPolicy: 'Always',
  terminationMessagePolicy: 'File',
};

type Json = { readonly [key: string]: unknown };

export const pod = (spec: Json = {}, metadata: Json = {}): unknown => ({
  metadata: { name: 'p', namespace: 'n', ...metadata },
  spec: changed(
    { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst', securityContext: {} },
    spec,
  ),
});

/** A pod whose only container has these fields besides the usual. */
export const withContainer = (fields: Json, spec: Json = {}): unknown =>
  pod({ ...spec, containers: [changed(container, fields)] });

/** Expects a new pod to be refused for exactly these causes. */
export const refuses = (document: unknown, ...causes: readonly string[]): void => {
  expect(problemsOf(Pod, podRules, document)).toEqual([...causes].sort());
};

export const probe = {
  httpGet: { path: '/', port: 'http', scheme: 'HTTP', httpHeaders: [{ name: 'X-A', value: 'b' }] },
};

/** A probe that needs one success only. */
export const once = { ...probe, successThreshold: 1 };

/** A template of pods that are kept running, with the label `app: x`. */
export const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [container], restartPolicy: 'Always', dnsPolicy: 'ClusterFirst' },
};
