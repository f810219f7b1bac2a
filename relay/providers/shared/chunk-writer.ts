import type { JsonObject } from '../../protocol/canonical.ts';
import type { TranslationContext } from '../translate.ts';
import type { FunctionCall } from './chat-request.ts';
import {
  deltaChunk,
  finishChunk,
  newHead,
  type ReplyHead,
  roleChunk,
  toolArguments,
  toolStart,
  usageChunk,
  wantsUsage,
} from './openai-chunks.ts';
import type { UsageReport } from './usage-report.ts';

/** Writes the one choice of an answer: role first, finish reason once, usage last. */
export type ChunkWriter = Readonly<{
  /** What the provider reports of itself; only what is reported replaces earlier values. */
  head: (given: Partial<ReplyHead>) => void;
  hasBegun: () => boolean;
  isFinished: () => boolean;
  content: (text: string, out: JsonObject[]) => void;
  reasoning: (text: string, out: JsonObject[]) => void;
  /** Members of a delta that only callers of the provider's own protocol read. */
  own: (members: JsonObject, out: JsonObject[]) => void;
  /** A whole tool call. */
  call: (call: FunctionCall, out: JsonObject[]) => void;
  /** A piece of a tool call; without an index it belongs to the latest call. */
  callPart: (place: number | null, out: JsonObject[], part: FunctionCall) => void;
  /** Further members are put next to `choices` on the last chunk of the choice. */
  finish: (reason: string, out: JsonObject[], extras?: JsonObject) => void;
  /** Nothing for callers who did not request it, or when nothing was reported. */
  usage: (given: UsageReport | null, out: JsonObject[]) => void;
}>;

export const createChunkWriter = ({ call, io }: TranslationContext): ChunkWriter => {
  let head = newHead(io, call.upstreamModel);
  let calls = 0;
  const started = new Set<number>();
  let hasBegun = false;
  let isFinished = false;

  const begin = (out: JsonObject[]): void => {
    if (!hasBegun) out.push(roleChunk(head));
    hasBegun = true;
  };
  const delta = (members: JsonObject, out: JsonObject[]): void => {
    begin(out);
    out.push(deltaChunk(head, members));
  };

  return {
    head: (given) => {
      head = {
        id: given.id || head.id,
        created: given.created || head.created,
        model: given.model || head.model,
      };
    },
    hasBegun: () => hasBegun,
    isFinished: () => isFinished,
    content: (text, out) => {
      if (text !== '') delta({ content: text }, out);
    },
    reasoning: (text, out) => {
      if (text !== '') delta({ reasoning_content: text }, out);
    },
    own: delta,
    call: (made, out) => {
      delta(toolStart(calls, made), out);
      calls += 1;
    },
    callPart: (place, out, part) => {
      // A name begins a call where the provider counts none.
      const index = place ?? (part.name === '' ? Math.max(0, calls - 1) : calls);
      if (started.has(index)) delta(toolArguments(index, part.arguments), out);
      else delta(toolStart(index, part), out);
      started.add(index);
      calls = Math.max(calls, index + 1);
    },
    finish: (reason, out, extras = {}) => {
      if (isFinished) return;
      begin(out);
      isFinished = true;
      out.push({
        ...finishChunk(head, calls > 0 && reason === 'stop' ? 'tool_calls' : reason),
        ...extras,
      });
    },
    usage: (given, out) => {
      if (given !== null && wantsUsage(call)) out.push(usageChunk(head, given.shown));
    },
  };
};
