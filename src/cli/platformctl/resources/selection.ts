import { ApiError } from '../../../api/errors.ts';
import { type AnyObject, isRefusal, type ListedObjects, type PlaneClient } from '../../../client/plane-client.ts';
import type { ListingOptions } from '../../../client/request-options.ts';
import { apiVersionOfKind } from '../../../client/served-kind.ts';
import { list, optionalText } from '../../../settings/flag.ts';
import { NO_OVERLAYS } from '../frame/absent-commands.ts';
import { CommandError } from '../frame/failure.ts';
import { onOff, short } from '../frame/flags.ts';
import type { Session, WorkingNamespace } from '../frame/session.ts';
import { type Manifest, type ManifestObject, readManifests } from '../manifests/read-manifests.ts';
import { namedResources } from './arguments.ts';
import type { ServedResource, ServedResources } from './served-resources.ts';

/** Flags that name files. */
export const FILE_FLAGS = {
  filename: short(
    'f',
    list('filename', 'FILE', [], 'files, folders or addresses with the objects; - for standard input'),
  ),
  recursive: short('R', onOff('recursive', false, 'also look into folders within the folder that -f names')),
  kustomize: short('k', optionalText('kustomize', 'FOLDER', 'folder with an overlay; refused, see the documentation')),
};

/** Flags that choose objects of a type by what they are like. */
export const CHOICE_FLAGS = {
  selector: short('l', optionalText('selector', 'SELECTOR', 'labels that the objects have, such as app=web,tier!=db')),
  all: onOff('all', false, 'all objects of the type, in the namespace'),
  allNamespaces: short('A', onOff('all-namespaces', false, 'in all namespaces')),
};

/** All of them: what a command that takes objects in every way puts into its table. */
export const SELECTION_FLAGS = { ...FILE_FLAGS, ...CHOICE_FLAGS };

/** What a line says about the objects that it is about. */
export interface SelectionRequest {
  readonly args: readonly string[];
  readonly filename?: readonly string[];
  readonly recursive?: boolean;
  readonly kustomize?: string | undefined;
  readonly selector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly all?: boolean;
  readonly allNamespaces?: boolean;
}

/** An object that a line is about. */
export interface SelectedObject {
  readonly resource: ServedResource;
  /** '' for objects of no namespace. */
  readonly namespace: string;
  /** '' where a manifest leaves it to the plane. */
  readonly name: string;
  /** As it was written, where it came from a file. */
  readonly manifest?: Manifest;
  /** As the plane has it, where it was found by a list. */
  readonly listed?: AnyObject;
}

/** Objects that are asked for at once while all of a type are found. */
const PAGE = 500;

const NO_RESOURCE = [
  'You must provide one or more resources by argument or filename.',
  'Example resource specifications include:',
  "   '-f rsrc.yaml'",
  "   '--filename=rsrc.json'",
  "   '<resource> <name>'",
  "   '<resource>'",
].join('\n');

/**
 * The objects that a line is about, in the order it names them: those in files, those named by type and name, or all of a type,
 * or those whose labels match. Whether what is named is there is not asked.
 */
export async function selectObjects(session: Session, request: SelectionRequest): Promise<SelectedObject[]> {
  const { args, filename = [], selector, fieldSelector, all = false } = request;
  refuseOverlays(request.kustomize);
  const chooses = all || selector !== undefined || fieldSelector !== undefined;
  if (filename.length > 0) {
    if (args.length > 0 || all) {
      throw new CommandError(
        'when paths, URLs, or stdin is provided as input, you may not specify resource arguments as well',
      );
    }
    return selectInFiles(session, request, selector);
  }
  if (args.length === 0) throw new CommandError(NO_RESOURCE);
  const resources = await session.resources();
  const named = namedResources(args, resources);
  if (named.every(({ names }) => names.length > 0)) {
    if (chooses) throw new CommandError('name cannot be provided when a selector is specified');
    const { name: namespace } = await session.namespace();
    if (request.allNamespaces) {
      throw new CommandError('a resource cannot be retrieved by name across all namespaces');
    }
    return named.flatMap(({ resource, names }) => names.map((name) => selected(resource, namespace, name)));
  }
  if (all && selector !== undefined) {
    throw new CommandError("setting 'all' parameter but found a non empty selector. ");
  }
  if (!chooses) throw new CommandError('resource(s) were provided, but no name was specified');
  return selectMatching(
    session,
    named.map(({ resource }) => resource),
    request,
  );
}

/** Overlays are a program of their own. */
export function refuseOverlays(kustomize: string | undefined): void {
  if (kustomize === undefined) return;
  throw new CommandError(NO_OVERLAYS);
}

const selected = (resource: ServedResource, namespace: string, name: string): SelectedObject => ({
  resource,
  namespace: resource.namespaced ? namespace : '',
  name,
});

async function selectInFiles(
  session: Session,
  { filename = [], recursive = false }: SelectionRequest,
  selector: string | undefined,
): Promise<SelectedObject[]> {
  const [resources, namespace] = await Promise.all([session.resources(), session.namespace()]);
  const matches = selector === undefined ? () => true : await labelMatcher(selector);
  const found: SelectedObject[] = [];
  for await (const manifest of readManifests({ filename, recursive }, session.io)) {
    if (matches(manifest.object.metadata.labels ?? {})) found.push(selectedManifest(manifest, resources, namespace));
  }
  return found;
}

async function labelMatcher(selector: string): Promise<(labels: Readonly<Record<string, string>>) => boolean> {
  const { parseLabelSelector } = await import('../../../selectors/label-selector.ts');
  const parsed = parseLabelSelector(selector);
  return (labels) => parsed.matches(labels);
}

/** What a manifest is of, and where it belongs. */
export function selectedManifest(
  manifest: Manifest,
  resources: ServedResources,
  working: WorkingNamespace,
): SelectedObject {
  const { apiVersion, kind, metadata } = manifest.object;
  const resource = resources.findKind(apiVersion, kind);
  if (!resource) {
    throw new CommandError(
      `resource mapping not found for name: "${metadata.name ?? ''}" namespace: "${metadata.namespace ?? ''}" from "${manifest.source}": no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`,
    );
  }
  const namespace = namespaceOf(resource, metadata.namespace ?? '', working);
  return { resource, namespace, name: metadata.name ?? '', manifest };
}

function namespaceOf(resource: ServedResource, written: string, working: WorkingNamespace): string {
  if (!resource.namespaced) return '';
  if (written !== '' && working.isGiven && written !== working.name) {
    throw new CommandError(
      `the namespace from the provided object "${written}" does not match the namespace "${working.name}". You must pass '--namespace=${written}' to perform this operation.`,
    );
  }
  return written === '' ? working.name : written;
}

async function selectMatching(
  session: Session,
  resources: readonly ServedResource[],
  { selector, fieldSelector, allNamespaces = false }: SelectionRequest,
): Promise<SelectedObject[]> {
  const client = await session.client();
  const namespace = allNamespaces ? '' : (await session.namespace()).name;
  const options = {
    ...(selector === undefined ? {} : { labelSelector: selector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const found: SelectedObject[] = [];
  for (const resource of resources) {
    for await (const listed of allOf(client, resource, namespace, options)) {
      found.push({
        ...selected(resource, listed.metadata.namespace ?? '', listed.metadata.name ?? ''),
        listed,
      });
    }
  }
  return found;
}

type Selectors = Pick<ListingOptions, 'labelSelector' | 'fieldSelector'>;

/** All objects of a type, page by page. */
export async function* allOf(
  client: PlaneClient,
  resource: ServedResource,
  namespace: string,
  options: Selectors,
): AsyncGenerator<AnyObject> {
  let next = '';
  do {
    const page: ListedObjects<AnyObject> = await client
      .list(resource, namespace, { ...options, limit: PAGE, ...(next === '' ? {} : { next }) })
      .catch(withQuestion(resource, options));
    // Objects in lists do not say what they are.
    for (const item of page.items) yield { ...item, kind: resource.kind, apiVersion: apiVersionOfKind(resource) };
    next = page.next;
  } while (next !== '');
}

/** Says of a refused list what was asked for, which the refusal does not. */
const withQuestion =
  ({ group, version, plural }: ServedResource, { labelSelector = '', fieldSelector = '' }: Selectors) =>
  (error: unknown): never => {
    if (!isRefusal(error, 'BadRequest', 'NotFound')) throw error;
    const resource = `${apiVersionOfGroup(group, version)}, Resource=${plural}`;
    throw new ApiError(
      error.reason,
      `Unable to find "${resource}" that match label selector "${labelSelector}", field selector "${fieldSelector}": ${error.message}`,
      error.details,
      error.code,
    );
  };

/** As the original prints a group and a version, with the slash also in the core group. */
const apiVersionOfGroup = (group: string, version: string): string => `${group}/${version}`;

/** What is sent for a manifest: as it is written, with the namespace that it belongs to. */
export function documentOf({ manifest, namespace }: SelectedObject): ManifestObject {
  if (!manifest) throw new CommandError('this can be done with objects in files alone');
  const { object } = manifest;
  return namespace === '' ? object : { ...object, metadata: { ...object.metadata, namespace } };
}

/** The object as the plane has it now. */
export async function liveObject(client: PlaneClient, { resource, namespace, name, listed }: SelectedObject) {
  return listed ?? client.get<AnyObject>({ kind: resource, namespace, name });
}
