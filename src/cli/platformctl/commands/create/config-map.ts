import { isUtf8 } from 'node:buffer';
import { CONTENT_FLAGS, contentOf, hashedName } from './content-sources.ts';
import { generator } from './generating.ts';

export const createConfigMap = generator({
  usage: 'create configmap NAME',
  about: 'Creates a config map from values, files, folders, or files of variables.',
  failing: 'failed to create configmap:',
  examples: [
    ['From two values', 'create configmap settings --from-literal=colour=blue --from-literal=size=7'],
    ['From all files of a folder', 'create configmap settings --from-file=folder'],
  ],
  flags: CONTENT_FLAGS,
  async make({ flags, meta, name, session }) {
    const content = [...(await contentOf(flags, 'ConfigMap', session.io))];
    const texts = content.filter(([, value]) => isUtf8(value)).map(([key, value]) => [key, value.toString('utf8')]);
    const others = content.filter(([, value]) => !isUtf8(value)).map(([key, value]) => [key, value.toString('base64')]);
    const data = Object.fromEntries(texts);
    const binary = others.length > 0 ? { binaryData: Object.fromEntries(others) } : {};
    const shown = flags.appendHash ? hashedName(name, { kind: 'ConfigMap', name, data, ...binary }) : name;
    return {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { ...meta(), name: shown },
      ...(texts.length > 0 ? { data } : {}),
      ...binary,
    };
  },
});
