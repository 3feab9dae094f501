import { ApiError } from '../../../../api/errors.ts';
import type { ObjectMeta } from '../../../../meta/object-meta.ts';
import type { FlagValues } from '../../../../settings/flag.ts';
import { type Command, command, type Invocation } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { type FlagTable, onOff } from '../../frame/flags.ts';
import type { Session } from '../../frame/session.ts';
import { fieldValidation, outcomeWord, VALIDATION_FLAGS, WRITE_FLAGS } from '../../frame/write-flags.ts';
import { withLastApplied } from '../../manifests/last-applied.ts';
import { OUTPUT_FLAGS } from '../../print/output-flags.ts';
import { printOutcome } from '../../print/print-objects.ts';
import { ObjectWrites } from '../../resources/object-writes.ts';

/** Flags of every command that makes an object out of what a line says. */
export const GENERATOR_FLAGS = {
  ...WRITE_FLAGS,
  ...VALIDATION_FLAGS,
  ...OUTPUT_FLAGS,
  saveConfig: onOff('save-config', false, 'remember in an annotation what was written, for later applies'),
};

/**
 * An object that a command has made, its fields in the order in which the original writes them. What is there without a
 * value, such as `creationTimestamp: null`, is there in the original too.
 */
export interface MadeObject {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>> & Pick<Partial<ObjectMeta>, 'name' | 'namespace'>;
}

type GeneratorFlags<T extends FlagTable> = FlagValues<typeof GENERATOR_FLAGS> & FlagValues<T>;

/** What an object is made of. */
export interface Generation<T extends FlagTable> extends Omit<Invocation<T>, 'flags' | 'isGiven'> {
  readonly flags: GeneratorFlags<T>;
  isGiven(option: keyof T): boolean;
  readonly name: string;
  /** What every object made so begins with; more metadata may be given. */
  meta(more?: Readonly<Record<string, unknown>>): MadeObject['metadata'];
}

interface GeneratorParts<T extends FlagTable> {
  readonly usage: string;
  readonly about: string;
  readonly examples?: Command['examples'];
  readonly flags: T;
  /** Objects of no namespace. */
  readonly clusterWide?: true;
  /** How a refusal is told: `failed to create configmap: …`; as any other where it is absent. */
  readonly failing?: string;
  /** Who manages the fields, where it is not `platformctl-create`. */
  readonly fieldManager?: string;
  make(line: Generation<T>): Promise<MadeObject> | MadeObject;
}

/** A command that makes one object by the name that is its argument. */
export const generator = <const T extends FlagTable>(parts: GeneratorParts<T>): Command =>
  command({
    usage: parts.usage,
    about: parts.about,
    ...(parts.examples ? { examples: parts.examples } : {}),
    flags: { ...GENERATOR_FLAGS, ...parts.flags },
    async run(invocation) {
      const { args, session } = invocation;
      const [name = ''] = args;
      if (args.length !== 1) {
        const words = parts.usage.slice(0, parts.usage.indexOf(' NAME'));
        throw new CommandError(
          `exactly one NAME is required, got ${args.length}\nSee 'platformctl ${words} -h' for help and examples`,
        );
      }
      const namespace = await session.namespace();
      const flags = invocation.flags as GeneratorFlags<T>;
      const object = await parts.make({
        ...(invocation as unknown as Invocation<T>),
        flags,
        name,
        meta: (more = {}) => ({
          name,
          ...(parts.clusterWide || !namespace.isGiven ? {} : { namespace: namespace.name }),
          creationTimestamp: null,
          ...more,
        }),
      });
      const created = createMade(session, object, flags, parts.fieldManager ?? 'platformctl-create');
      await (parts.failing === undefined ? created : created.catch(failingTo(parts.failing)));
    },
  });

const failingTo =
  (failing: string) =>
  (error: unknown): never => {
    if (error instanceof ApiError && error.reason !== 'Invalid') throw new CommandError(`${failing} ${error.message}`);
    throw error;
  };

/** Creates what a command has made, and prints it, or what became of it. */
export async function createMade(
  session: Session,
  made: MadeObject,
  flags: FlagValues<typeof GENERATOR_FLAGS>,
  fieldManager: string,
  done = 'created',
): Promise<void> {
  const object = flags.saveConfig ? withLastApplied(made, await session.vocabulary(), 'given') : made;
  const created = flags.dryRun === 'client' ? object : await send(session, object, flags, fieldManager);
  await printOutcome(session, created, outcomeWord(done, flags.dryRun), flags, { keys: 'given' });
}

async function send(
  session: Session,
  object: MadeObject,
  flags: FlagValues<typeof GENERATOR_FLAGS>,
  fieldManager: string,
): Promise<MadeObject> {
  const resource = (await session.resources()).ofKind(object.apiVersion, object.kind);
  const writes = await ObjectWrites.of(session, {
    fieldManager: flags.fieldManager ?? fieldManager,
    dryRun: flags.dryRun,
    fieldValidation: fieldValidation(flags),
  });
  const namespace = object.metadata.namespace ?? (await session.namespace()).name;
  const answer = await writes.create(resource, namespace, object);
  // The plane leaves the first two out of no answer, and puts them first in none.
  const { kind, apiVersion, ...rest } = answer as unknown as MadeObject;
  return { kind, apiVersion, ...rest };
}

/** Says so as the original does when a flag is missing that a command cannot do without. */
export function required<T>(name: string, value: T | undefined): T {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) {
    throw new CommandError(`required flag(s) "${name}" not set`);
  }
  return value;
}
