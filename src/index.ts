/// <reference types="node" preserve="true" />

/** `platform-apiserver`: a server inside a program. Its settings are those of the flags, in camel case. */

export type { Identity } from './authentication/injected-identity.ts';
export type { Injected } from './http/inject.ts';
export type { Logger } from './observe/logging/logger.ts';
export type { ClusterNetwork } from './outbound/network.ts';
export type { Runtime, Timer } from './runtime/runtime.ts';
export type { InjectRequest } from './server/injection.ts';
export type { StartOptions } from './server/options.ts';
export { type EmbeddedPlane, type Server, startPlane, startServer } from './server/server.ts';
export { UsageError } from './settings/flag.ts';
