/** The name under which admission plugins know what they read by. */
export type { Resource } from './catalogue.ts';
export type { Objects as Lister } from './objects.ts';
