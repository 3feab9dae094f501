import { BoundedCache, textBytes } from '../../../bounds/bounded-cache.ts';

/**
 * Names of container images: `[registry/]path[:tag][@digest]`. Only what a default depends on is read here; whether an
 * image exists, or can, is for whoever pulls it.
 */

const PATH = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*$/;
const REGISTRY =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*)(?::\d+)?$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;

/** A name has at most 255 characters, a tag 128. */
const LONGEST = 1024;

/** Undefined when the name is malformed; '' when a digest alone tells the image. A bare name means `latest`. */
function tagOf(image: string): string | undefined {
  const [named = '', digest, ...more] = image.split('@');
  if (more.length > 0 || (digest !== undefined && !DIGEST.test(digest))) return undefined;
  const [first = '', ...rest] = named.split('/');
  const hasRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  if (hasRegistry && !REGISTRY.test(first)) return undefined;
  const [path = '', tag, ...tags] = (hasRegistry ? rest.join('/') : named).split(':');
  if (tags.length > 0 || !PATH.test(path) || (tag !== undefined && !TAG.test(tag))) return undefined;
  return tag ?? (digest === undefined ? 'latest' : '');
}

/** The same few images stand in most pods. */
const policies = new BoundedCache<string, string>({ name: 'image-names', capacity: 512 << 10, sizeOf: textBytes });

/** An image that may change under its name is pulled each time. */
export function defaultPullPolicy(image = ''): string {
  if (image.length > LONGEST) return 'IfNotPresent';
  const known = policies.get(image);
  if (known !== undefined) return known;
  const policy = tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
  policies.set(image, policy);
  return policy;
}
