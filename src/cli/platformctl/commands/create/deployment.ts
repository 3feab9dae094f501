import { integer, repeated } from '../../../../settings/flag.ts';
import { CommandError } from '../../frame/failure.ts';
import { short } from '../../frame/flags.ts';
import type { Session } from '../../frame/session.ts';
import { generator, required } from './generating.ts';

export const createDeployment = generator({
  usage: 'create deployment NAME --image=IMAGE -- [COMMAND] [ARGUMENTS...]',
  about: 'Creates a deployment with a container for each image.',
  failing: 'failed to create deployment:',
  flags: {
    image: repeated('image', 'IMAGE', 'image that a container runs'),
    port: integer('port', 0, 65535, -1, 'port that the first container exposes'),
    replicas: short('r', integer('replicas', 0, 2 ** 31 - 1, 1, 'how many pods there are to be')),
  },
  make({ flags, name, meta, args, afterDash = [], session, isGiven }) {
    const images = required('image', flags.image);
    if (images.length > 1 && afterDash.length > 0) {
      throw new CommandError('cannot specify multiple --image options and command');
    }
    if (args.length > 1) throw new CommandError('a command stands after --');
    const labels = { app: name };
    const containers = images.map((image, at) => ({
      name: containerName(image, session),
      image,
      ...(at === 0 && afterDash.length > 0 ? { command: afterDash } : {}),
      ...(at === 0 && isGiven('port') ? { ports: [{ containerPort: flags.port }] } : {}),
      resources: {},
    }));
    return {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: meta({ labels }),
      spec: {
        replicas: flags.replicas,
        selector: { matchLabels: labels },
        template: { metadata: { creationTimestamp: null, labels }, spec: { containers } },
        strategy: {},
      },
      status: {},
    };
  },
});

const SUFFIX = 5;
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** The last part of the image, without its tag; made unique where characters had to be exchanged. */
function containerName(image: string, session: Session): string {
  const [name = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/, 1);
  if (!/[_.]/.test(name)) return name;
  const random = [...session.runtime.bytes(SUFFIX)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${name.replaceAll(/[_.]/g, '-')}-${random}`;
}
