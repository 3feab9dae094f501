import { optionalText, text } from '../../../settings/flag.ts';
import { command } from '../frame/command.ts';
import { CommandError, SilentExit } from '../frame/failure.ts';
import { onOff } from '../frame/flags.ts';
import { write } from '../frame/io.ts';
import type { Session } from '../frame/session.ts';
import type { ServedResource, ServedResources } from '../resources/served-resources.ts';
import type { Schema } from './explain/schema.ts';

interface OpenApiRoot {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

export const explain = command({
  usage: 'explain TYPE[.FIELD...]',
  about: 'Describes a kind of objects and its fields, as the plane that serves it documents them.',
  examples: [
    ['A kind', 'explain pods'],
    ['A field', 'explain deployments.spec.strategy'],
    ['All fields, without their descriptions', 'explain cronjobs --recursive'],
  ],
  flags: {
    apiVersion: optionalText('api-version', 'GROUP/VERSION', 'the version to describe'),
    recursive: onOff('recursive', false, 'show fields of fields'),
    output: text('output', 'plaintext', 'plaintext', 'how to describe it'),
  },
  async run({ args, flags, session }) {
    const [path, ...more] = args;
    if (path === undefined) {
      throw new CommandError(
        'You must specify the type of resource to explain. Use "platformctl api-resources" for a complete list of supported resources.',
      );
    }
    if (more.length > 0) throw new CommandError('We accept only this format: explain RESOURCE');
    if (flags.output !== 'plaintext') throw new CommandError(`--output ${flags.output} is not available`);
    const { resource, fields } = await explained(path, flags.apiVersion, session);
    const [{ Schemas }, { explanationText, headText }] = await Promise.all([
      import('./explain/schema.ts'),
      import('./explain/text.ts'),
    ]);
    const schemas = new Schemas(await readSchemas(session, resource));
    const schema = schemas.ofKind(resource.group, resource.version, resource.kind);
    if (!schema) throw new CommandError(`GVK ${resource.kind} not found in OpenAPI schema`);
    await write(session.io.stdout, headText(resource));
    await write(session.io.stdout, explanationText(schemas, schema, fields, flags.recursive));
  },
});

/** `deployments.apps.spec.replicas`: as much of it as names a resource, and the fields after it. */
async function explained(
  path: string,
  apiVersion: string | undefined,
  session: Session,
): Promise<{ resource: ServedResource; fields: string[] }> {
  const words = path.replace(/\.$/, '').split('.');
  const resources = await session.resources();
  for (let count = words.length; count > 0; count--) {
    const name = words.slice(0, count).join('.');
    // A field may have the name of a group: a resource that has such a field is found with fewer words.
    const found = resources.find(name);
    if (found && (count === 1 || name.endsWith(found.group))) {
      return { resource: inVersion(resources, found, apiVersion), fields: words.slice(count) };
    }
  }
  await write(session.io.stderr, `the server doesn't have a resource type "${words[0]}"\n`);
  throw new SilentExit(1);
}

function inVersion(resources: ServedResources, found: ServedResource, apiVersion: string | undefined): ServedResource {
  if (apiVersion === undefined) return found;
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const same = resources.all.find(
    (one) => one.plural === found.plural && one.group === group && one.version === version,
  );
  if (!same) throw new CommandError(`couldn't find resource for "${apiVersion}, Resource=${found.plural}"`);
  return same;
}

async function readSchemas(
  session: Session,
  { group, version }: ServedResource,
): Promise<Readonly<Record<string, Schema>>> {
  const { documentIn } = await import('./get/fetch.ts');
  const send = await session.send();
  const { paths } = documentIn<OpenApiRoot>(await send({ method: 'GET', target: '/openapi/v3' }));
  const place = paths[group === '' ? `api/${version}` : `apis/${group}/${version}`];
  if (!place) throw new CommandError(`couldn't find resource for "${group}/${version}"`);
  const answer = await send({ method: 'GET', target: place.serverRelativeURL });
  const document = documentIn<{ components?: { schemas?: Readonly<Record<string, Schema>> } }>(answer);
  return document.components?.schemas ?? {};
}
