import { string } from '../../schema/scalars.ts';
import { type Infer, jsonOnly, struct } from '../../schema/schema.ts';

export const Info = struct(
  'version.Info',
  {
    major: jsonOnly(string().required(), 'Major number of the interface version, such as 1.'),
    minor: jsonOnly(string().required(), 'Minor number of the interface version, such as 25.'),
    gitVersion: jsonOnly(string().required(), 'Full version of the release, with a leading v.'),
    gitCommit: jsonOnly(string().required(), 'Commit that the release was built from.'),
    gitTreeState: jsonOnly(
      string().required(),
      'clean, or dirty when the sources had changes that were not committed.',
    ),
    buildDate: jsonOnly(string().required(), 'When the release was built, in RFC 3339 form.'),
    goVersion: jsonOnly(
      string().required(),
      'Version of the language runtime; the name of the field is part of the interface.',
    ),
    compiler: jsonOnly(string().required(), 'What the release was compiled with.'),
    platform: jsonOnly(string().required(), 'Operating system and architecture, such as linux/amd64.'),
  },
  { description: 'Release of the server and how it was built.' },
);
export type Info = Infer<typeof Info>;
