import reasons from './left.json' with { type: 'json' };

/** Promises that no test of the console holds, each with the reason in one sentence. */
export const reasonLeft: ReadonlyMap<string, string> = new Map(Object.entries(reasons));
