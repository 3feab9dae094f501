import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { untilGone } from './support/definitions.ts';
import { describeKubectl, Kubectl } from './support/kubectl.ts';
import { insist } from './support/patience.ts';
import { makeDirectory, removeDirectory } from './support/temporary-directory.ts';
import { startTestServer, type TestServer } from './support/test-server.ts';

let directory: string;
let plane: TestServer;
let kubectl: Kubectl;

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: issuers.pki.example.com
spec:
  group: pki.example.com
  scope: Namespaced
  names: { plural: issuers, kind: Issuer, shortNames: [iss], categories: [all] }
  versions:
  - name: v1
    served: true
    storage: true
    subresources: { status: {} }
    additionalPrinterColumns:
    - { name: Days, type: integer, jsonPath: .spec.days }
    - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status' }
    schema:
      openAPIV3Schema:
        type: object
        description: Signs certificates.
        properties:
          spec:
            type: object
            required: [days]
            properties:
              days: { type: integer, minimum: 1, description: For how long certificates are good. }
          status:
            type: object
            properties:
              conditions:
                type: array
                items: { type: object, properties: { type: { type: string }, status: { type: string } } }
`;

const OBJECT = `apiVersion: pki.example.com/v1
kind: Issuer
metadata: { name: main }
spec: { days: 90 }
`;

describeKubectl('kubectl, with a custom kind', (program) => {
  beforeAll(async () => {
    directory = await makeDirectory();
    plane = await startTestServer({ vocabulary: 'kubernetes' });
    await writeFile(join(directory, 'admin.conf'), plane.server.adminConfig);
    await writeFile(join(directory, 'all.yaml'), `${DEFINITION}---\n${OBJECT}`);
    kubectl = new Kubectl(program, directory, join(directory, 'admin.conf'), {
      KUBE_EDITOR: `sed -i 's/days: 30/days: 31/'`,
    });
  });

  afterAll(async () => {
    await plane.close();
    await removeDirectory(directory);
  });

  it('applies a definition and its objects from one file', async () => {
    // The first time kubectl has looked for the kind of the object before the definition is there.
    await kubectl.run(['apply', '-f', 'all.yaml']);
    await insist(async () => expect(await kubectl.succeed('apply', '-f', 'all.yaml')).toContain('issuer'));
    expect(await kubectl.succeed('wait', '--for', 'condition=established', 'crd/issuers.pki.example.com')).toContain(
      'condition met',
    );
  });

  it('shows columns, by short name and by category', async () => {
    const [head = '', row = ''] = (await kubectl.succeed('get', 'iss')).split('\n');
    expect(head.split(/\s+/)).toEqual(['NAME', 'DAYS', 'READY']);
    expect(row.trim().split(/\s+/)).toEqual(['main', '90']);
    expect(await kubectl.succeed('get', 'all', '-o', 'name')).toContain('issuer.pki.example.com/main');
  });

  it('explains fields', async () => {
    expect(await kubectl.succeed('explain', 'issuers.spec.days')).toContain('For how long certificates are good.');
  });

  it('patches, edits and refuses what is not valid', async () => {
    expect(await kubectl.succeed('patch', 'issuer', 'main', '--type=merge', '-p', '{"spec":{"days":30}}')).toContain(
      'patched',
    );
    expect(await kubectl.succeed('edit', 'issuer', 'main')).toContain('edited');
    expect(await kubectl.succeed('get', 'issuer', 'main', '-o', 'jsonpath={.spec.days}')).toBe('31');
    const refused = await kubectl.run(['patch', 'issuer', 'main', '--type=merge', '-p', '{"spec":{"days":0}}']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('spec.days')]);
  });

  it('deletes the definition with all that is of it', async () => {
    expect(await kubectl.succeed('delete', 'crd', 'issuers.pki.example.com')).toContain('deleted');
    await untilGone(plane.admin, '/apis/pki.example.com/v1/issuers');
  });
});
