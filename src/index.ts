export { type Server, type StartOptions, startServer } from './server.ts';
