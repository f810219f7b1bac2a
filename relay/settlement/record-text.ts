import type { CallFacts } from '../../domain/account/events.ts';
import { hasExtras } from '../../domain/pricing/counts.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { ChannelId, ProducerId } from '../../domain/shared/ids.ts';
import type { LeaseIdleEntry } from '../admission/lease-book.ts';
import type { FailedEntry, StartedEntry, UsedEntry } from './journal.ts';
import type { Producer } from './usage-numbers.ts';

/*
 * Records as JSON, written out member by member: `JSON.stringify` of two records for each request
 * costs a tenth of all that a bare proxy does. A spec holds the text against `JSON.stringify`, and
 * the compiler holds the lists of members against the types. All of it is ASCII, so that a record
 * has as many bytes as characters. Ids of requests are the relay's own, letters and digits.
 */

type Complete<T, Written extends keyof T> = [Exclude<keyof T, Written>] extends [never]
  ? true
  : never;

const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const beyondAscii = /[\u0080-\uffff]/g;

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The same JSON with an escape for all that is not ASCII, which occurs in strings only. */
export const asciiJson = (text: string): string => text.replace(beyondAscii, escaped);

const json = (value: unknown): string => asciiJson(JSON.stringify(value));

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : json(text));

/** Frequent names; the bounds prevent strangers from filling memory. */
const names = new Map<string, string>();
const maxNames = 10_000;
const maxName = 128;
const named = (text: string): string => {
  if (text.length > maxName) return quoted(text);
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= maxNames) names.clear();
  const written = quoted(text);
  names.set(text, written);
  return written;
};

const orNull = (text: string | null): string => (text === null ? 'null' : named(text));

const callIsComplete: Complete<
  CallFacts,
  | 'requestId'
  | 'relayId'
  | 'tokenId'
  | 'channelId'
  | 'channelsTried'
  | 'model'
  | 'upstreamModel'
  | 'group'
  | 'path'
  | 'isStream'
  | 'startedAt'
  | 'durationMs'
  | 'firstByteMs'
  | 'reasoningEffort'
  | 'task'
> = true;
const startedIsComplete: Complete<
  StartedEntry,
  | 'userId'
  | 'requestId'
  | 'tokenId'
  | 'leaseId'
  | 'reserved'
  | 'startedAt'
  | 'task'
  // Stands last, or nowhere.
  | 'producerId'
> = true;
const usedIsComplete: Complete<
  UsedEntry,
  | 'kind'
  | 'userId'
  | 'leaseId'
  | 'call'
  | 'usage'
  | 'usageSource'
  | 'usageNote'
  | 'end'
  | 'quote'
  | 'task'
  // Becomes a part of the usage number.
  | 'producerId'
> = true;
const idleIsComplete: Complete<
  LeaseIdleEntry,
  'userId' | 'leaseId' | 'unspent' | 'closes' | 'producerId'
> = true;
const usageIsComplete: Complete<
  Usage,
  | 'promptTokens'
  | 'completionTokens'
  | 'cachedTokens'
  | 'cacheCreationTokens'
  | 'cacheApart'
  // Of calls that are more than text; those are written by JSON.stringify.
  | 'audioInputTokens'
  | 'cachedAudioTokens'
  | 'audioOutputTokens'
  | 'imageInputTokens'
  | 'pictures'
  | 'videoSeconds'
  | 'webSearches'
  | 'fileSearches'
  | 'batchRequests'
> = true;
void [callIsComplete, startedIsComplete, usedIsComplete, idleIsComplete, usageIsComplete];

const numbers = (list: readonly ChannelId[]): string =>
  list.length === 1 ? `[${list[0]}]` : json(list);

/** Few calls set a task going. */
const taskText = (task: object | undefined): string =>
  task === undefined ? '' : `,"task":${json(task)}`;

const effortText = (effort: string | undefined): string =>
  effort === undefined ? '' : `,"reasoningEffort":${named(effort)}`;

const callText = (call: CallFacts): string =>
  `{"requestId":"${call.requestId}","relayId":${named(call.relayId)},"tokenId":${call.tokenId},"channelId":${call.channelId},"channelsTried":${numbers(call.channelsTried)},"model":${named(call.model)},"upstreamModel":${orNull(call.upstreamModel)},"group":${named(call.group)},"path":${named(call.path)},"isStream":${call.isStream},"startedAt":"${call.startedAt}","durationMs":${call.durationMs},"firstByteMs":${call.firstByteMs}${taskText(call.task)}${effortText(call.reasoningEffort)}}`;

const usageText = (usage: Usage): string =>
  hasExtras(usage) ? json(usage) : plainUsageText(usage);

const plainUsageText = (usage: Usage): string =>
  `{"promptTokens":${usage.promptTokens},"completionTokens":${usage.completionTokens},"cachedTokens":${usage.cachedTokens},"cacheCreationTokens":${usage.cacheCreationTokens}${usage.cacheApart === true ? ',"cacheApart":true' : ''}}`;

/** One quote serves all calls of a model and group until a price changes. */
const quoteTexts = new WeakMap<Quote, string>();
const quoteText = (quote: Quote): string => {
  const known = quoteTexts.get(quote);
  if (known !== undefined) return known;
  const text = json(quote);
  quoteTexts.set(quote, text);
  return text;
};

const producerText = (producerId: ProducerId | null): string =>
  producerId === null ? '' : `,"producerId":${producerId}`;

const numberText = (producerId: ProducerId | null, number: number): string =>
  producerId === null ? '' : `,"usageNumber":{"producerId":${producerId},"number":${number}}`;

/** The members of a start, with the closing brace and without the opening one. */
export const startedText = (entry: StartedEntry): string =>
  `"kind":"started","userId":${entry.userId},"requestId":"${entry.requestId}","tokenId":${entry.tokenId},"leaseId":${orNull(entry.leaseId)},"reserved":${entry.reserved},"startedAt":"${entry.startedAt}"${taskText(entry.task)}${producerText(entry.producerId)}}`;

const usedText = (entry: UsedEntry, number: number): string =>
  `"kind":"used","userId":${entry.userId},"leaseId":${orNull(entry.leaseId)},"call":${callText(entry.call)},"usage":${usageText(entry.usage)},"usageSource":"${entry.usageSource}","usageNote":${entry.usageNote === null ? 'null' : quoted(entry.usageNote)},"end":"${entry.end}","quote":${quoteText(entry.quote)}${taskText(entry.task)}${numberText(entry.producerId, number)}}`;

const failedText = ({ kind, userId, ...rest }: FailedEntry): string =>
  `"kind":"${kind}","userId":${userId},${json(rest).slice(1)}`;

/**
 * The members of an end, with the closing brace and without the opening one. `number`: the place of
 * a charge among those of its producer.
 */
export const endedText = (entry: UsedEntry | FailedEntry, number: number): string =>
  entry.kind === 'used' ? usedText(entry, number) : failedText(entry);

/** The members of an idle lease, with the closing brace and without the opening one. */
export const idleText = ({ userId, producerId, ...rest }: LeaseIdleEntry, number: number): string =>
  `"kind":"lease-idle","userId":${userId},${json(rest).slice(1, -1)}${numberText(producerId, number)}}`;

/** The members of a producer's end, with the closing brace and without the opening one. */
export const producerEndedText = ({ userId, producerId, last }: Producer): string =>
  `"kind":"producer-ended","userId":${userId},"producerId":${producerId},"last":${last}}`;
