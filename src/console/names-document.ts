import type { Vocabulary } from '../vocabulary/vocabulary.ts';

/** The names that pages of the console need and that no other answer of the server tells. */
export const namesDocument = ({ name, groups, websocketProtocols, prefixes, openapiExtensions }: Vocabulary): string =>
  JSON.stringify({
    vocabulary: name,
    groups,
    websocketProtocols: {
      channelV5: websocketProtocols.channelV5,
      channelV4: websocketProtocols.channelV4,
      bearerTokenPrefix: websocketProtocols.bearerTokenPrefix,
    },
    restartedAt: `${prefixes.ctlAnnotation}restartedAt`,
    groupVersionKind: openapiExtensions.groupVersionKind,
  });
