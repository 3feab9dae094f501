import { command } from '../../frame/command.ts';
import { CommandError } from '../../frame/failure.ts';
import { type Container, containerMatcher, withPodSpec } from './pod-spec.ts';
import { SETTING_FLAGS, setInObjects, wordsAndPairs } from './setting.ts';

export const setImage = command({
  usage: 'set image (-f FILE | TYPE NAME) CONTAINER_1=IMAGE_1 ... CONTAINER_N=IMAGE_N',
  about: 'Sets the images of containers; * stands for all of them.',
  examples: [['One container', 'set image deployment/web nginx=nginx:1.27']],
  flags: SETTING_FLAGS,
  async run({ args, flags, session }) {
    const { words, pairs } = wordsAndPairs(args);
    const images = pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new CommandError(`invalid image: ${pair}`);
      return { container: pair.slice(0, equals), image: pair.slice(equals + 1) };
    });
    if (images.length === 0) throw new CommandError('at least one image update is required');
    await setInObjects(session, flags, {
      args: words,
      done: 'image updated',
      change: (object, name) =>
        withPodSpec(object, name, (spec) => {
          let { containers, initContainers } = spec;
          for (const { container, image } of images) {
            const matches = containerMatcher(container);
            const isThere = [...containers, ...(initContainers ?? [])].some(matches);
            if (!isThere && container !== '*') throw new CommandError(`unable to find container named "${container}"`);
            const set = (one: Container): Container => (matches(one) ? { ...one, image } : one);
            containers = containers.map(set);
            initContainers = initContainers?.map(set);
          }
          return { ...spec, containers, ...(initContainers ? { initContainers } : {}) };
        }),
    });
  },
});
