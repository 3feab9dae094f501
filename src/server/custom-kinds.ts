import { unchangedButVersion } from '../extension/conversion/no-conversion.ts';
import { CompiledSchemas } from '../extension/definitions/compiled-schemas.ts';
import { serveDefinitions } from '../extension/definitions/serving.ts';
import type { Informer } from '../registry/informer.ts';
import { convertedVersions } from '../registry/version-converter.ts';
import type { Plan } from './plan.ts';

/** Serves what stored definitions define, from now on. */
export function serveCustomKinds(
  { catalogue, vocabulary, runtime, logger }: Plan,
  informer: Informer,
): { close(): void } {
  const cache = convertedVersions();
  return serveDefinitions({
    catalogue,
    informer,
    vocabulary,
    schemas: new CompiledSchemas(vocabulary),
    conversionOf: () => ({ convert: unchangedButVersion, cache, runtime }),
    onError: (definition, error) => logger.warn({ definition, err: error }, 'a custom kind cannot be served'),
  });
}
