import type { AnyObject } from '../../../../client/plane-client.ts';
import { CommandError } from '../../frame/failure.ts';
import { write } from '../../frame/io.ts';
import type { Session } from '../../frame/session.ts';

interface KeyReference {
  readonly name: string;
  readonly key: string;
}

/** An environment variable of a container. */
export interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: KeyReference;
    readonly secretKeyRef?: KeyReference;
    readonly fieldRef?: { readonly fieldPath: string };
    readonly resourceFieldRef?: { readonly resource: string; readonly containerName?: string };
  };
}

interface Holder extends AnyObject {
  readonly data?: Readonly<Record<string, string>>;
}

const HOLDERS: Readonly<Record<string, 'configMapKeyRef' | 'secretKeyRef'>> = {
  ConfigMap: 'configMapKeyRef',
  Secret: 'secretKeyRef',
};

/** A variable for each key of a config map or a secret. Characters that no variable has become underscores. */
export async function variablesFrom(
  session: Session,
  from: string,
  prefix: string,
  keys: readonly string[],
): Promise<Variable[]> {
  const [type = '', name = ''] = from.split('/');
  const resource = (await session.resources()).named(type);
  const reference = HOLDERS[resource.kind];
  if (!reference) throw new CommandError(`unsupported resource specified in --from: ${resource.kind}`);
  const namespace = (await session.namespace()).name;
  const { data = {} } = await (await session.client()).get<Holder>({ kind: resource, namespace, name });
  const wanted = Object.keys(data).filter((key) => keys.length === 0 || keys.includes(key));
  const variables: Variable[] = [];
  for (const key of wanted) {
    const shown = key.toUpperCase().replaceAll(/[^A-Za-z0-9_]/g, '_');
    if (shown !== key) await write(session.io.stderr, `Warning: key ${key} transferred to ${shown}\n`);
    variables.push({ name: `${prefix}${shown}`, valueFrom: { [reference]: { name, key } } });
  }
  return variables;
}

/** A line for each variable; what comes from elsewhere is looked up if it is asked for. */
export async function listVariables(
  session: Session,
  namespace: string,
  variables: readonly Variable[],
  resolve: boolean,
): Promise<string> {
  const lines: string[] = [];
  for (const variable of variables) {
    const { name, value = '', valueFrom } = variable;
    const held = resolve && valueFrom ? await heldValue(session, namespace, valueFrom) : undefined;
    if (!valueFrom) lines.push(`${name}=${value}\n`);
    else lines.push(held === undefined ? `# ${name} from ${sourceText(valueFrom)}\n` : `${name}=${held}\n`);
  }
  return lines.join('');
}

function sourceText({
  configMapKeyRef,
  secretKeyRef,
  fieldRef,
  resourceFieldRef,
}: NonNullable<Variable['valueFrom']>): string {
  if (configMapKeyRef) return `configmap ${configMapKeyRef.name}, key ${configMapKeyRef.key}`;
  if (secretKeyRef) return `secret ${secretKeyRef.name}, key ${secretKeyRef.key}`;
  if (fieldRef) return `field path ${fieldRef.fieldPath}`;
  return `resource field ${resourceFieldRef?.containerName ?? ''}${resourceFieldRef?.containerName ? ', ' : ''}${resourceFieldRef?.resource ?? ''}`;
}

async function heldValue(
  session: Session,
  namespace: string,
  { configMapKeyRef, secretKeyRef }: NonNullable<Variable['valueFrom']>,
): Promise<string | undefined> {
  const reference = configMapKeyRef ?? secretKeyRef;
  if (!reference) return undefined;
  const kind = (await session.resources()).ofKind('v1', configMapKeyRef ? 'ConfigMap' : 'Secret');
  const client = await session.client();
  const { data } = await client.get<Holder>({ kind, namespace, name: reference.name });
  const value = data?.[reference.key];
  if (value === undefined) return undefined;
  return configMapKeyRef ? value : Buffer.from(value, 'base64').toString('utf8');
}
