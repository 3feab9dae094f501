export function buildFacts(root: string): {
  readonly commit: string;
  readonly treeState: string;
  readonly date: string;
};
