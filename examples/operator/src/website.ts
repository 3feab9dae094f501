import { type AnyObject, customKind } from 'platform-apiserver/client';

/** Pages that are served under a domain; `manifests/website.yaml` defines the kind. */
export interface Website extends AnyObject {
  readonly spec: {
    readonly domain: string;
    /** Texts by their names. */
    readonly pages: Readonly<Record<string, string>>;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly pages?: number;
  };
}

export const Website = customKind<Website>({
  group: 'example.com',
  version: 'v1',
  plural: 'websites',
  kind: 'Website',
  namespaced: true,
});
