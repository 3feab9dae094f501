/** How fully a request is recorded, from not at all to all that went either way. */
export const LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
export type Level = (typeof LEVELS)[number];

/** When a request is recorded. ResponseStarted is for answers that take their time, Panic for defects of the server. */
export const STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type Stage = (typeof STAGES)[number];

/** Whether a level records all that `wanted` does. */
export const covers = (level: Level, wanted: Level): boolean => LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
