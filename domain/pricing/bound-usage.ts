import type { Usage } from './types.ts';

/** Usage as an upstream wrote it: anything may stand here. */
export type ReportedUsage = Readonly<{
  promptTokens: unknown;
  completionTokens: unknown;
  cachedTokens?: unknown;
  cacheCreationTokens?: unknown;
  cacheApart?: true;
}>;

/** The most that the request can have used, in tokens. */
export type UsageBound = Readonly<{ promptTokens: number; completionTokens: number }>;

/** `note` says what was changed, for the operator; null when the report was taken as it is. */
export type BoundedUsage = Readonly<{ usage: Usage; note: string | null }>;

type Cut = (name: string, value: unknown, most: number) => number;

const shown = (value: unknown): string => String(value).slice(0, 40);

const cutting = (notes: string[]): Cut => {
  const changed = (name: string, value: unknown, to: number): number => {
    notes.push(`${name} ${shown(value)} taken as ${to}`);
    return to;
  };
  return (name, value, most) => {
    if (value === undefined || value === null) return 0;
    if (typeof value !== 'number' || Number.isNaN(value)) return changed(name, value, 0);
    if (value < 0) return changed(name, value, 0);
    if (value > most) return changed(name, value, most);
    return Number.isInteger(value) ? value : changed(name, value, Math.floor(value));
  };
};

/**
 * Makes a report usable for a bill: whole numbers of at least 0, cached tokens within the prompt,
 * nothing above what the request can have used. An upstream that lies cannot credit anybody.
 */
export const boundUsage = (reported: ReportedUsage, bound: UsageBound): BoundedUsage => {
  const notes: string[] = [];
  const cut = cutting(notes);
  const apart = reported.cacheApart === true;
  const promptTokens = cut('prompt tokens', reported.promptTokens, bound.promptTokens);
  const completionTokens = cut(
    'completion tokens',
    reported.completionTokens,
    bound.completionTokens,
  );
  const cacheRoom = apart ? bound.promptTokens : promptTokens;
  const cachedTokens = cut('cached tokens', reported.cachedTokens, cacheRoom);
  const creationRoom = apart ? bound.promptTokens : promptTokens - cachedTokens;
  const cacheCreationTokens = cut(
    'cache creation tokens',
    reported.cacheCreationTokens,
    creationRoom,
  );
  const usage = { promptTokens, completionTokens, cachedTokens, cacheCreationTokens };
  return {
    usage: apart ? { ...usage, cacheApart: true } : usage,
    note: notes.length === 0 ? null : notes.join('; '),
  };
};
