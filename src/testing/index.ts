/// <reference types="node" preserve="true" />

/** `platform-apiserver/testing`: a whole plane inside a test. */

export type { Manifests } from './apply-manifests.ts';
export { brokenOff, type InterceptedRequest, type RequestFilter, type RequestHooks } from './interception.ts';
export type { TestNamespace } from './test-namespace.ts';
export { startTestPlane, TestPlane, type TestPlaneOptions } from './test-plane.ts';
