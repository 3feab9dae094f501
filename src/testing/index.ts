/// <reference types="node" preserve="true" />

/** `platform-apiserver/testing`: a whole plane inside a test. */

export type { Manifests } from './apply-manifests.ts';
export type { Chaos } from './chaos/chaos.ts';
export type { ChaosOptions, Fault, Rate } from './chaos/faults.ts';
export { brokenOff, type InterceptedRequest, type RequestFilter, type RequestHooks } from './interception.ts';
export { type Chance, ManualClock, type ManualClockOptions } from './manual-clock.ts';
export type { Recorded, RecordedEvent, RecordedExchange } from './recording/recorded.ts';
export type { Recording, RecordingOptions } from './recording/recording.ts';
export { NotSettled, type PlaneExpectation, type Settlement, type SettlingOptions } from './settling/expectation.ts';
export { type ExpectedObject, objectIn, type PlaneMatchers, planeMatchers, type Waiting } from './settling/matchers.ts';
export type { Writing } from './settling/write-log.ts';
export type { Delay, Stage, StageOutcome, StageSelector } from './stages/stage.ts';
export { stage } from './stages/stage.ts';
export { StageKind, type StageObject } from './stages/stage-objects.ts';
export type { Stages, StagesOptions } from './stages/stages.ts';
export type { TestNamespace } from './test-namespace.ts';
export { type PlaneSnapshot, startTestPlane, TestPlane, type TestPlaneOptions } from './test-plane.ts';
