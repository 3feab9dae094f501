import type { Path } from '../../schema/path.ts';
import type { Problems } from '../../schema/problems.ts';
import type { Vocabulary } from '../../vocabulary/vocabulary.ts';

export interface SchemaSurroundings {
  readonly vocabulary: Vocabulary;
}

/** What is known about a place in a schema besides the schema that is there. */
export interface SchemaPlace extends SchemaSurroundings {
  readonly path: Path;
  readonly problems: Problems;
}
