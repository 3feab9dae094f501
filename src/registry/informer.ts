import type { Version } from '../storage/version.ts';
import type { VersionLog } from '../storage/version-log.ts';
import type { Catalogue } from './catalogue.ts';
import { parseObject } from './encoding.ts';
import type { ApiObject } from './resource-type.ts';

/** Told of stored objects, in order. */
export interface ObjectListener {
  /** A stored object, or a new version of one. */
  onSet(object: ApiObject): void;
  /** The last version of an object that is gone. */
  onRemove(object: ApiObject): void;
}

/** Which objects to follow. */
export interface Followed {
  readonly group: string;
  readonly plural: string;
  /** Only objects of this name; others are not even read. */
  readonly name?: string;
  /** Only objects that have this text in them somewhere; others are not even read. */
  readonly mentions?: string;
}

/** Follows resources inside the server: every object that there is, then every change. */
export class Informer {
  private readonly log: VersionLog;
  private readonly catalogue: Catalogue;

  constructor(log: VersionLog, catalogue: Catalogue) {
    this.log = log;
    this.catalogue = catalogue;
  }

  /** Objects that are there are told before this returns. */
  follow({ group, plural, name, mentions }: Followed, listener: ObjectListener): { close(): void } {
    const type = this.catalogue.preferred(group, plural);
    if (!type) throw new Error(`${plural}.${group} is not served`);
    const { revision } = this.log;
    const isOther = ({ key, bytes }: Version): boolean =>
      (name !== undefined && !key.endsWith(`/${name}`)) || (mentions !== undefined && !bytes.includes(mentions));
    const tell = (version: Version): void => {
      if (isOther(version)) return;
      if (version.deleted) listener.onRemove(parseObject(version.bytes));
      else listener.onSet(parseObject(version.bytes));
    };
    this.log.list(type.collection).forEach(tell);
    return this.log.subscribe(
      type.collection,
      { after: revision },
      { onVersions: (versions) => versions.forEach(tell) },
    );
  }
}
