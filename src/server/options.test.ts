import { describe, expect, it } from 'vitest';
import { SILENT } from '../observe/logging/logger.ts';
import { systemRuntime } from '../runtime/runtime.ts';
import { UsageError } from '../settings/flag.ts';
import { DEFAULT_SETTINGS, FLAGS } from '../settings/settings.ts';
import { checkOptions, type StartOptions } from './options.ts';

/** As a program in JavaScript gives options, with no compiler to look at them. */
const check = (options: unknown) => checkOptions(options as StartOptions);

describe('options', () => {
  it('that are not given, or undefined, are the defaults', () => {
    const undefinedOnes = Object.fromEntries(
      [...Object.keys(FLAGS), 'port', 'store', 'network', 'freezeObjects'].map((key) => [key, undefined]),
    );
    for (const options of [{}, undefinedOnes]) {
      expect(check(options)).toEqual({
        settings: DEFAULT_SETTINGS,
        runtime: systemRuntime,
        logger: SILENT,
        network: {},
        freezeObjects: false,
        dataDir: DEFAULT_SETTINGS.dataDir,
      });
    }
  });

  it('are those of the flags, whose defaults fit themselves', () => {
    const { settings } = check(DEFAULT_SETTINGS);
    expect(settings).toEqual(DEFAULT_SETTINGS);
    for (const [option, { fits, fallback }] of Object.entries(FLAGS)) {
      expect(fallback === undefined || fits(fallback), option).toBe(true);
    }
  });

  it('have short names', () => {
    expect(check({ store: 'memory', port: 0 })).toMatchObject({
      settings: { storage: 'memory', securePort: 0 },
      dataDir: undefined,
    });
    expect(check({ store: 'memory', storage: 'memory', dataDir: 'x' }).dataDir).toBe('x');
    expect(check({ etcdServers: ['http://127.0.0.1:1'] }).settings.storage).toBe('etcd');
  });

  it('that ask for a log get one', () => {
    expect(check({ v: 2 }).logger.informs).toBe(true);
    expect(check({ logFormat: 'text' }).logger).toMatchObject({ informs: false });
    expect(check({ logFormat: 'text' }).logger).not.toBe(SILENT);
    expect(check({ v: 2, logger: SILENT }).logger).toBe(SILENT);
  });

  it.each([
    [{ prot: 0 }, "startServer has no option 'prot'"],
    [{ 'secure-port': 0 }, "startServer has no option 'secure-port'"],
    [JSON.parse('{"__proto__": 1}'), "startServer has no option '__proto__'"],
    [{ constructor: 1 }, "startServer has no option 'constructor'"],
    [{ port: '0' }, "the option port must be a whole number from 0 to 65535, not '0'"],
    [{ port: 70_000 }, 'the option port must be a whole number from 0 to 65535, not 70000'],
    [{ securePort: 0.5 }, 'the option securePort must be a whole number from 0 to 65535, not 0.5'],
    [{ store: 'floppy' }, "the option store must be one of lmdb, memory, etcd, not 'floppy'"],
    [{ vocabulary: 'latin' }, "the option vocabulary must be one of platform, kubernetes, not 'latin'"],
    [{ dataDir: '' }, "the option dataDir must be a text that is not empty, not ''"],
    [{ dataDir: null }, 'the option dataDir must be a text that is not empty, not null'],
    [{ tokenAuthFile: ['a'] }, "the option tokenAuthFile must be a text that is not empty, not [ 'a' ]"],
    [{ freezeObjects: 'no' }, "the option freezeObjects must be true or false, not 'no'"],
    [{ anonymousAuth: 'false' }, "the option anonymousAuth must be true or false, not 'false'"],
    [{ authorizationMode: 'RBAC' }, "the option authorizationMode must be a list of texts, not 'RBAC'"],
    [{ apiAudiences: [1] }, 'the option apiAudiences must be a list of texts, not [ 1 ]'],
    [{ requestTimeout: '1m' }, "the option requestTimeout must be a number of milliseconds, 0 or more, not '1m'"],
    [{ requestTimeout: -1 }, 'the option requestTimeout must be a number of milliseconds, 0 or more, not -1'],
    [{ auditLogBatchThrottleQps: Number.NaN }, 'the option auditLogBatchThrottleQps must be a number above 0, not NaN'],
    [{ logFormat: 'xml' }, "the option logFormat must be one of text, json, not 'xml'"],
    [{ store: 'memory', storage: 'lmdb' }, 'the options store and storage mean the same, but are memory and lmdb'],
    [{ port: 1, securePort: 2 }, 'the options port and securePort mean the same, but are 1 and 2'],
    [{ logger: { error() {}, warn() {} } }, 'the option logger must have the function info'],
    [{ logger: 'console' }, "the option logger must be an object, not 'console'"],
    [{ runtime: { ...systemRuntime, now: 0 } }, 'the option runtime must have the function now'],
    [{ network: { allows: true } }, 'the option network must have the function allows'],
    [{ network: { alows() {} } }, "the option network has no 'alows'"],
    [null, 'the options of startServer must be an object, not null'],
    ['memory', "the options of startServer must be an object, not 'memory'"],
  ])('%j are refused', (options, reason) => {
    expect(() => check(options)).toThrow(new UsageError(reason));
  });

  it('are shown in one short line', () => {
    expect(() => check({ port: `a\n${'x'.repeat(5_000)}` })).toThrow(/^.{1,200}$/);
  });
});
