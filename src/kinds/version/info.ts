import { string } from '../../schema/scalars.ts';
import { type Infer, jsonOnly, struct } from '../../schema/schema.ts';

export const Info = struct('version.Info', {
  major: jsonOnly(string().required()),
  minor: jsonOnly(string().required()),
  gitVersion: jsonOnly(string().required()),
  gitCommit: jsonOnly(string().required()),
  gitTreeState: jsonOnly(string().required()),
  buildDate: jsonOnly(string().required()),
  goVersion: jsonOnly(string().required()),
  compiler: jsonOnly(string().required()),
  platform: jsonOnly(string().required()),
});
export type Info = Infer<typeof Info>;
