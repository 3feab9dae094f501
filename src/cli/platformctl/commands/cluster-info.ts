import type { AnyObject } from '../../../client/plane-client.ts';
import { command } from '../frame/command.ts';
import { write } from '../frame/io.ts';
import { COLOR_FLAGS } from '../print/color-flags.ts';
import { colored, wantsColors } from '../print/colors.ts';

/** The label of services that belong to the plane itself. */
const serviceLabel = (domain: string): string => `${domain}/cluster-service=true`;

interface Service extends AnyObject {
  readonly spec: { readonly ports?: readonly { readonly name?: string; readonly port: number }[] };
}

export const clusterInfo = command({
  usage: 'cluster-info',
  about: 'Shows where the plane is, and services of its own.',
  flags: COLOR_FLAGS,
  async run({ flags, session }) {
    const { io } = session;
    const [{ server }, vocabulary, resources, client] = await Promise.all([
      session.connection(),
      session.vocabulary(),
      session.resources(),
      session.client(),
    ]);
    const isColored = wantsColors(flags.color, io);
    const row = (name: string, address: string): string =>
      isColored
        ? `${colored('green', name)} is running at ${colored('yellow', address)}\n`
        : `${name} is running at ${address}\n`;
    const maker = vocabulary.name.charAt(0).toUpperCase() + vocabulary.name.slice(1);
    let text = row(`${maker} control plane`, server);
    const namespace = vocabulary.namespaces.system;
    const labelSelector = serviceLabel(vocabulary.domains.keys);
    const { items } = await client.list<Service>(resources.named('services'), namespace, { labelSelector });
    for (const {
      metadata: { name: service = '' },
      spec,
    } of items) {
      const [port] = spec.ports ?? [];
      const name = port?.name ? `${service}:${port.name}` : service;
      text += row(service, `${server}/api/v1/namespaces/${namespace}/services/${name}/proxy`);
    }
    await write(
      io.stdout,
      `${text}\nTo further debug and diagnose cluster problems, use 'platformctl cluster-info dump'.\n`,
    );
  },
});
