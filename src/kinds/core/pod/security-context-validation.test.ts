import { describe, expect, it } from 'vitest';
import { container, pod, podRules, refuses, withContainer } from '../../../../test/pods.ts';
import { problemsOf, TEST_CONTEXT } from '../../../../test/problems-of.ts';
import { Pod } from './pod.ts';

describe('a security context', () => {
  const at = 'spec.containers[0].securityContext';

  it.each([
    [{ privileged: true }, `Forbidden ${at}.privileged`],
    [{ runAsUser: -1 }, `Invalid ${at}.runAsUser`],
    [{ runAsGroup: -1 }, `Invalid ${at}.runAsGroup`],
    [{ procMount: 'Odd' }, `NotSupported ${at}.procMount`],
    [{ seccompProfile: {} }, `Required ${at}.seccompProfile.type`],
    [{ seccompProfile: { type: 'Odd' } }, `NotSupported ${at}.seccompProfile.type`],
    [{ seccompProfile: { type: 'Localhost' } }, `Required ${at}.seccompProfile.localhostProfile`],
    [
      { seccompProfile: { type: 'Localhost', localhostProfile: '/a' } },
      `Invalid ${at}.seccompProfile.localhostProfile`,
    ],
    [
      { seccompProfile: { type: 'Unconfined', localhostProfile: 'a' } },
      `Invalid ${at}.seccompProfile.localhostProfile`,
    ],
    [{ allowPrivilegeEscalation: false, capabilities: { add: ['CAP_SYS_ADMIN'] } }, `Invalid ${at}`],
    [{ windowsOptions: { gmsaCredentialSpecName: 'A' } }, `Invalid ${at}.windowsOptions.gmsaCredentialSpecName`],
    [{ windowsOptions: { gmsaCredentialSpec: '' } }, `Invalid ${at}.windowsOptions.gmsaCredentialSpec`],
    [{ windowsOptions: { runAsUserName: '' } }, `Invalid ${at}.windowsOptions.runAsUserName`],
    [{ windowsOptions: { runAsUserName: 'a\\b\\c' } }, `Invalid ${at}.windowsOptions.runAsUserName`],
    [{ windowsOptions: { runAsUserName: '.x\\b' } }, `Invalid ${at}.windowsOptions.runAsUserName`],
    [{ windowsOptions: { runAsUserName: 'a:b' } }, `Invalid ${at}.windowsOptions.runAsUserName`],
    [{ windowsOptions: { runAsUserName: '...' } }, `Invalid ${at}.windowsOptions.runAsUserName`],
  ])('with %j is refused', (securityContext, cause) => {
    refuses(withContainer({ securityContext }), cause);
  });

  it('may be privileged where the server allows it', () => {
    const document = withContainer({ securityContext: { privileged: true } });
    expect(problemsOf(Pod, podRules, document, { ...TEST_CONTEXT, allowPrivileged: true })).toEqual([]);
  });

  it.each([
    [{ fsGroup: -1 }, 'Invalid spec.securityContext.fsGroup'],
    [{ runAsUser: -1 }, 'Invalid spec.securityContext.runAsUser'],
    [{ runAsGroup: -1 }, 'Invalid spec.securityContext.runAsGroup'],
    [{ supplementalGroups: [1, -1] }, 'Invalid spec.securityContext.supplementalGroups[1]'],
    [{ sysctls: [{ name: '' }] }, 'Required spec.securityContext.sysctls[0].name'],
    [{ sysctls: [{ name: 'A' }] }, 'Invalid spec.securityContext.sysctls[0].name'],
    [{ sysctls: [{ name: 'a' }, { name: 'a' }] }, 'Duplicate spec.securityContext.sysctls[1].name'],
    [{ fsGroupChangePolicy: 'Odd' }, 'NotSupported spec.securityContext.fsGroupChangePolicy'],
  ])('of a pod with %j is refused', (securityContext, cause) => {
    refuses(pod({ securityContext }), cause);
  });

  it('suits the operating system', () => {
    const windowsOptions = { runAsUserName: 'a' };
    refuses(
      pod({
        os: { name: 'linux' },
        securityContext: { windowsOptions },
        containers: [{ ...container, securityContext: { windowsOptions } }],
      }),
      'Forbidden spec.securityContext.windowsOptions',
      `Forbidden ${at}.windowsOptions`,
    );
    refuses(
      pod({
        os: { name: 'windows' },
        hostPID: true,
        securityContext: { fsGroup: 1, sysctls: [{ name: 'a' }] },
        containers: [{ ...container, securityContext: { runAsUser: 1, privileged: false } }],
      }),
      'Forbidden spec.hostPID',
      'Forbidden spec.securityContext.fsGroup',
      'Forbidden spec.securityContext.sysctls',
      `Forbidden ${at}.runAsUser`,
      `Forbidden ${at}.privileged`,
    );
  });

  it('makes all containers processes of the host, or none', () => {
    const hosted = { ...container, securityContext: { windowsOptions: { hostProcess: true } } };
    refuses(
      pod({ containers: [hosted, { ...container, name: 'other' }] }),
      'Invalid spec',
      'Forbidden spec',
      'Invalid spec.hostNetwork',
    );
  });
});
