const OVERLAYS =
  'overlays have no library in JavaScript that is kept well; build them with their own program and pipe the result to -f -';

/** Commands that others have, and why they are not here. The documentation says the same. */
const ABSENT: Readonly<Record<string, string>> = {
  debug: 'it needs a node that starts containers beside others; planes of this project have none of their own',
  kustomize: OVERLAYS,
  plugin: 'programs beside platformctl are run by their own names',
};

/** What to tell whoever wants a command by its first word that there is not. */
export const absenceOf = (first: string): string | undefined =>
  Object.hasOwn(ABSENT, first) ? `there is no command "${first}": ${ABSENT[first]}` : undefined;

/** What to tell whoever gives a folder with an overlay. */
export const NO_OVERLAYS = `there is no -k: ${OVERLAYS}`;
