import { groupNamed } from '../api/names.ts';
import { Notice } from './notice.tsx';

/** Said in place of a view whose source the server does not have. */
export function Absent({ what }: { what: string }) {
  return (
    <Notice title="This server does not tell">
      {what} comes from {groupNamed('explain')}, which this server does not serve in full: it is older, or the group is
      switched off.
    </Notice>
  );
}
