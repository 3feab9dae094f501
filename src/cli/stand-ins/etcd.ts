import { readEtcdFlags } from './etcd-flags.ts';
import { holdPorts } from './etcd-ports.ts';

/**
 * What tools start as etcd that start an API server themselves. It keeps no objects: the API server that stands in beside it
 * does that. It holds the ports that it is given, answers whoever asks for its health, and ends when told to.
 */
async function run(args: readonly string[]): Promise<void> {
  const flags = readEtcdFlags(args);
  if ('text' in flags) {
    process.stdout.write(flags.text);
    return;
  }
  const ports = await holdPorts(flags);
  process.stderr.write(
    `etcd: a stand-in by platform-apiserver, which keeps no objects itself, at ${ports.clientUrls.join(', ')}\n`,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ports.close());
}

run(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`etcd: ${error.message}\n`);
  process.exitCode = 1;
});
