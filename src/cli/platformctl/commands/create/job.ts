import type { AnyObject } from '../../../../client/plane-client.ts';
import { choice, optionalText } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { generator, type MadeObject, required } from './generating.ts';

const podTemplate = (name: string, image: string, command: readonly string[], restartPolicy: string) => ({
  metadata: { creationTimestamp: null },
  spec: {
    containers: [{ name, image, ...(command.length > 0 ? { command } : {}), resources: {} }],
    restartPolicy,
  },
});

interface CronJob extends AnyObject {
  readonly spec: { readonly jobTemplate: { readonly metadata?: Record<string, never>; readonly spec: object } };
}

export const createJob = generator({
  usage: 'create job NAME --image=IMAGE [--from=cronjob/NAME] -- [COMMAND] [ARGUMENTS...]',
  about: 'Creates a job, also one that a cron job would start.',
  failing: 'failed to create job:',
  flags: {
    image: optionalText('image', 'IMAGE', 'image that the job runs'),
    from: optionalText('from', 'cronjob/NAME', 'the cron job to start at once'),
  },
  async make({ flags, name, meta, afterDash = [], session }): Promise<MadeObject> {
    if ((flags.image === undefined) === (flags.from === undefined)) {
      throw new CommandError('either --image or --from must be specified');
    }
    if (flags.from === undefined) {
      const template = podTemplate(name, required('image', flags.image), afterDash, 'Never');
      const job = { kind: 'Job', apiVersion: 'batch/v1', metadata: meta(), spec: { template }, status: {} };
      return job;
    }
    if (afterDash.length > 0) throw new CommandError('cannot specify --from and command');
    const [type = '', from = ''] = flags.from.split('/');
    const resource = (await session.resources()).named(type);
    if (resource.kind !== 'CronJob')
      throw new CommandError(`from must be an existing cronjob: resource type ${resource.kind} is not supported`);
    const namespace = (await session.namespace()).name;
    const cronJob = await (await session.client()).get<CronJob>({ kind: resource, namespace, name: from });
    return startedBy(cronJob, name, `cronjob.${(await session.vocabulary()).domains.keys}/instantiate`);
  },
});

function startedBy(cronJob: CronJob, name: string, instantiation: string): MadeObject {
  const { metadata, spec } = cronJob;
  const { metadata: templateMeta = {}, spec: jobSpec } = spec.jobTemplate;
  const { labels, annotations } = templateMeta as { labels?: object; annotations?: Record<string, string> };
  const owner = {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    name: metadata.name,
    uid: metadata.uid,
    controller: true,
  };
  return {
    kind: 'Job',
    apiVersion: 'batch/v1',
    metadata: {
      name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      creationTimestamp: null,
      ...(labels ? { labels } : {}),
      annotations: { [instantiation]: 'manual', ...annotations },
      ownerReferences: [owner],
    },
    spec: jobSpec,
    status: {},
  } as MadeObject;
}

export const createCronJob = generator({
  usage: "create cronjob NAME --image=IMAGE --schedule='0/5 * * * ?' -- [COMMAND] [ARGUMENTS...]",
  about: 'Creates a cron job.',
  failing: 'failed to create cronjob:',
  flags: {
    image: optionalText('image', 'IMAGE', 'image that the jobs run'),
    schedule: optionalText('schedule', 'SCHEDULE', 'when jobs are started, in the format of cron'),
    restart: choice('restart', ['OnFailure', 'Never'], 'OnFailure', 'whether containers that end are started again'),
  },
  make({ flags, name, meta, afterDash = [] }) {
    const template = podTemplate(name, required('image', flags.image), afterDash, flags.restart);
    return {
      kind: 'CronJob',
      apiVersion: 'batch/v1',
      metadata: meta(),
      spec: {
        schedule: required('schedule', flags.schedule),
        jobTemplate: { metadata: { name, creationTimestamp: null }, spec: { template } },
      },
      status: {},
    };
  },
});
