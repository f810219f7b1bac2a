import type { Usage } from './types.ts';

/** Usage as an upstream wrote it: any value is possible. */
export type ReportedUsage = Readonly<{
  promptTokens: unknown;
  completionTokens: unknown;
  /** Thoughts, inside `completionTokens`; paid like other output. */
  reasoningTokens?: unknown;
  cachedTokens?: unknown;
  cacheCreationTokens?: unknown;
  cacheApart?: true;
  audioInputTokens?: unknown;
  cachedAudioTokens?: unknown;
  audioOutputTokens?: unknown;
  imageInputTokens?: unknown;
  webSearches?: unknown;
  fileSearches?: unknown;
}>;

/** The most that the request can have used, in tokens. */
export type UsageBound = Readonly<{
  promptTokens: number;
  completionTokens: number;
  /** Calls of each tool of the provider's own; none where the request allows none. */
  toolCalls?: number;
}>;

/** `note` describes the change, for the operator; null when the report was taken as it is. */
export type BoundedUsage = Readonly<{ usage: Usage; note: string | null }>;

type Cut = (name: string, value: unknown, max: number) => number;

const shown = (value: unknown): string => String(value).slice(0, 40);

const cutting = (notes: string[]): Cut => {
  const changed = (name: string, value: unknown, to: number): number => {
    notes.push(`${name} ${shown(value)} taken as ${to}`);
    return to;
  };
  return (name, value, max) => {
    if (value === undefined || value === null) return 0;
    if (typeof value !== 'number' || Number.isNaN(value)) return changed(name, value, 0);
    if (value < 0) return changed(name, value, 0);
    if (value > max) return changed(name, value, max);
    return Number.isInteger(value) ? value : changed(name, value, Math.floor(value));
  };
};

type Extras = Partial<
  Record<
    | 'audioInputTokens'
    | 'cachedAudioTokens'
    | 'audioOutputTokens'
    | 'imageInputTokens'
    | 'webSearches'
    | 'fileSearches',
    number
  >
>;

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== 0;

/** Written out for speed: it runs for every answer, and few have any. */
const hasExtras = (reported: ReportedUsage): boolean =>
  isGiven(reported.audioInputTokens) ||
  isGiven(reported.cachedAudioTokens) ||
  isGiven(reported.audioOutputTokens) ||
  isGiven(reported.imageInputTokens) ||
  isGiven(reported.webSearches) ||
  isGiven(reported.fileSearches);

type Room = Readonly<{ usage: Usage; toolCalls: number; cut: Cut }>;

/** Sound and pictures lie inside the counts that hold them, and never overlap. */
const boundExtras = (reported: ReportedUsage, { usage, toolCalls, cut }: Room): Extras => {
  const { promptTokens, completionTokens, cachedTokens, cacheCreationTokens } = usage;
  const cacheInside = usage.cacheApart ? 0 : cachedTokens + cacheCreationTokens;
  const fresh = promptTokens - cacheInside;
  const cachedAudioTokens = cut('cached audio tokens', reported.cachedAudioTokens, cachedTokens);
  const audioInputTokens = Math.max(
    cut('audio input tokens', reported.audioInputTokens, fresh + cachedAudioTokens),
    cachedAudioTokens,
  );
  const imageRoom = fresh - (audioInputTokens - cachedAudioTokens);
  return {
    audioInputTokens,
    cachedAudioTokens,
    audioOutputTokens: cut('audio output tokens', reported.audioOutputTokens, completionTokens),
    imageInputTokens: cut('image input tokens', reported.imageInputTokens, imageRoom),
    webSearches: cut('web searches', reported.webSearches, toolCalls),
    fileSearches: cut('file searches', reported.fileSearches, toolCalls),
  };
};

/** Counts of nothing are left out: most calls are text alone, and their records stay short. */
const countedOnly = (extras: Extras): Extras =>
  Object.fromEntries(Object.entries(extras).filter(([, count]) => count > 0));

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
  // Apart or inside, the three of them make up one prompt.
  const cacheRoom = apart ? bound.promptTokens - promptTokens : promptTokens;
  const cachedTokens = cut('cached tokens', reported.cachedTokens, cacheRoom);
  const creationRoom = cacheRoom - cachedTokens;
  const cacheCreationTokens = cut(
    'cache creation tokens',
    reported.cacheCreationTokens,
    creationRoom,
  );
  const counts = { promptTokens, completionTokens, cachedTokens, cacheCreationTokens };
  const usage: Usage = apart ? { ...counts, cacheApart: true } : counts;
  if (!hasExtras(reported)) return { usage, note: notes.length === 0 ? null : notes.join('; ') };
  const room = { usage, toolCalls: bound.toolCalls ?? 0, cut };
  const whole: Usage = { ...usage, ...countedOnly(boundExtras(reported, room)) };
  return { usage: whole, note: notes.length === 0 ? null : notes.join('; ') };
};
