import type { ConfigEdit } from '../../../../client/config/config-edit.ts';
import type { EntryList } from '../../../../outbound/config-file.ts';
import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { onOff } from '../../frame/flags.ts';
import { write } from '../../frame/io.ts';
import { editConfig, onlyArgument, withFields } from './open-config.ts';

type FieldType = 'text' | 'flag' | 'bytes' | 'whole';

/** Fields by their types; those that are no scalars can be taken away, not set. */
const FIELDS: Readonly<Record<EntryList, Readonly<Record<string, FieldType>>>> = {
  clusters: {
    server: 'text',
    'tls-server-name': 'text',
    'insecure-skip-tls-verify': 'flag',
    'certificate-authority': 'text',
    'certificate-authority-data': 'bytes',
    'proxy-url': 'text',
    'disable-compression': 'flag',
    extensions: 'whole',
  },
  users: {
    'client-certificate': 'text',
    'client-certificate-data': 'bytes',
    'client-key': 'text',
    'client-key-data': 'bytes',
    token: 'text',
    tokenFile: 'text',
    as: 'text',
    'as-uid': 'text',
    'as-groups': 'whole',
    'as-user-extra': 'whole',
    username: 'text',
    password: 'text',
    'auth-provider': 'whole',
    exec: 'whole',
    extensions: 'whole',
  },
  contexts: { cluster: 'text', user: 'text', namespace: 'text', extensions: 'whole' },
};

/** What a property name means. */
type Property =
  | { readonly kind: 'current-context' }
  | { readonly kind: 'preferences'; readonly field: string | undefined }
  | { readonly kind: 'list'; readonly list: EntryList }
  | { readonly kind: 'entry'; readonly list: EntryList; readonly name: string; readonly field: string | undefined };

const isList = (word: string): word is EntryList => Object.hasOwn(FIELDS, word);

/** `clusters.NAME.server` and the like. A name may contain dots: it ends where a field begins. */
function readProperty(text: string): Property {
  const [first = '', ...rest] = text.split('.');
  if (text === 'current-context') return { kind: 'current-context' };
  if (first === 'preferences' && (rest.length === 0 || rest.join('.') === 'colors')) {
    return { kind: 'preferences', field: rest[0] };
  }
  if (!isList(first)) throw new CommandError(`unable to parse ${text}: there is no such property`);
  if (rest.length === 0) return { kind: 'list', list: first };
  const last = rest.at(-1) ?? '';
  const isField = rest.length > 1 && Object.hasOwn(FIELDS[first], last);
  const name = (isField ? rest.slice(0, -1) : rest).join('.');
  return { kind: 'entry', list: first, name, field: isField ? last : undefined };
}

function readValue(type: FieldType | undefined, given: string, isRaw: boolean): unknown {
  if (type === 'text') return given;
  if (type === 'flag') return readFlag(given);
  if (type === 'bytes') return isRaw ? Buffer.from(given).toString('base64') : readBase64(given);
  throw new CommandError("can't set a map to a value: name one of its fields");
}

function readFlag(given: string): boolean {
  if (/^(1|t|T|TRUE|true|True)$/.test(given)) return true;
  if (/^(0|f|F|FALSE|false|False)$/.test(given)) return false;
  throw new CommandError(`strconv.ParseBool: parsing "${given}": invalid syntax`);
}

function readBase64(given: string): string {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(given)) {
    throw new CommandError('error decoding base64 value: it is not base64; --set-raw-bytes takes bytes as they are');
  }
  return given;
}

export const set = command({
  usage: 'config set PROPERTY VALUE',
  about: 'Sets one value of the client configuration, such as clusters.NAME.server or current-context.',
  examples: [['Say where a cluster is', 'config set clusters.e2e.server https://1.2.3.4']],
  flags: { setRawBytes: onOff('set-raw-bytes', false, 'take the value of a field of bytes as it is, not as base64') },
  async run({ args, flags, session }) {
    const [text = '', value = '', ...more] = args;
    if (args.length < 2 || more.length > 0) throw new CommandError(`Unexpected args: [${args.join(' ')}]`);
    const property = readProperty(text);
    await editConfig(session, (edit) => setProperty(edit, property, value, flags.setRawBytes));
    await write(session.io.stdout, `Property "${text}" set.\n`);
  },
});

function setProperty(edit: ConfigEdit, property: Property, given: string, isRaw: boolean): void {
  if (property.kind === 'current-context') edit.setCurrentContext(given);
  else if (property.kind === 'preferences') {
    const colors = readValue(property.field === undefined ? undefined : 'flag', given, isRaw);
    edit.setPreferences(withFields(edit.preferences, { colors }));
  } else if (property.kind === 'list') readValue(undefined, given, isRaw);
  else {
    const { list, name, field } = property;
    const value = readValue(field === undefined ? undefined : FIELDS[list][field], given, isRaw);
    edit.set(list, name, withFields(edit.entry(list, name) ?? {}, { [field ?? '']: value }));
  }
}

export const unset = command({
  usage: 'config unset PROPERTY',
  about: 'Takes one value of the client configuration away, an entry, or all entries of a list.',
  examples: [['Choose no context', 'config unset current-context']],
  flags: {},
  async run({ args, session }) {
    const text = onlyArgument(args);
    const property = readProperty(text);
    await editConfig(session, (edit) => unsetProperty(edit, property));
    await write(session.io.stdout, `Property "${text}" unset.\n`);
  },
});

function unsetProperty(edit: ConfigEdit, property: Property): void {
  if (property.kind === 'current-context') edit.setCurrentContext('');
  else if (property.kind === 'preferences') edit.setPreferences({});
  else if (property.kind === 'list') {
    for (const name of edit.config[property.list].keys()) edit.remove(property.list, name);
  } else if (property.field === undefined) edit.remove(property.list, property.name);
  else {
    const { list, name, field } = property;
    const entry = edit.entry(list, name);
    if (!entry) throw new CommandError(`current map key \`${name}\` is invalid`);
    edit.set(list, name, withFields(entry, { [field]: undefined }));
  }
}
