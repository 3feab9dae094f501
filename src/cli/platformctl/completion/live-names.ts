import { Writable } from 'node:stream';
import type { CommandTable } from '../frame/command.ts';
import { readLine } from '../frame/flags.ts';
import { GLOBAL_FLAGS } from '../frame/global-flags.ts';
import { Session } from '../frame/session.ts';
import { qualifiedName } from '../resources/served-resources.ts';
import type { Candidate } from './candidate.ts';

/** More names are of no help to anybody. */
const MOST_NAMES = 500;

/** Names that a plane, or the client configuration, has at the moment. */
export class LiveNames {
  readonly #session: Session;
  readonly #commands: CommandTable;

  constructor(session: Session, commands: CommandTable) {
    this.#session = session;
    this.#commands = commands;
  }

  /** Resources that can be listed, by their plural names; with the group where another has the same. */
  async types(): Promise<Candidate[]> {
    const resources = await this.#session.lookUp((known) => known);
    return resources
      .preferred()
      .filter(({ verbs }) => verbs.includes('list'))
      .map((resource) => {
        const isPlain = resources.find(resource.plural) === resource;
        return { word: isPlain ? resource.plural : qualifiedName(resource), about: resource.kind };
      });
  }

  /** Objects of a resource in the namespace at hand. */
  async objects(type: string): Promise<Candidate[]> {
    const resource = await this.#session.lookUp((known) => known.named(type));
    const namespace = resource.namespaced ? (await this.#session.namespace()).name : '';
    const client = await this.#session.client();
    const { items } = await client.list(resource, namespace, { metadataOnly: true, limit: MOST_NAMES });
    return items.map(({ metadata: { name = '' } }) => ({ word: name }));
  }

  /** Entries of the client configuration, as the command prints them that shows them. */
  async configured(section: 'contexts' | 'clusters' | 'users'): Promise<Candidate[]> {
    const command = await this.#commands[`config get-${section}`]?.load();
    if (!command) return [];
    const parts: Buffer[] = [];
    const stdout = new Writable({
      write(part, _encoding, done) {
        parts.push(Buffer.from(part));
        done();
      },
    });
    const { io, runtime, global } = this.#session;
    const { flags, given, args, afterDash } = readLine(
      { ...GLOBAL_FLAGS, ...command.flags },
      section === 'contexts' ? ['-o', 'name'] : [],
    );
    const session = new Session({ ...io, stdout }, runtime, global);
    const isGiven = (option: string): boolean => given.has(option);
    await command.run({ flags: { ...flags, ...global }, args, afterDash, isGiven, session } as Parameters<
      typeof command.run
    >[0]);
    const lines = Buffer.concat(parts).toString('utf8').split('\n');
    return lines.filter((line) => line !== '' && line !== 'NAME').map((word) => ({ word }));
  }
}
