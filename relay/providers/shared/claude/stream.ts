import type { ApiError } from '../../../protocol/api-error.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, parseObject, textAt } from '../../../protocol/json.ts';
import type { TranslationContext } from '../../translate.ts';
import { interrupted } from '../failure.ts';
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
} from '../openai-chunks.ts';
import type { StreamRules } from '../run-stream.ts';
import type { SseEvent } from '../sse.ts';
import {
  annotationsOf,
  claudeError,
  finishOf,
  sealedDetail,
  signedDetail,
} from './finish-reasons.ts';
import { type ClaudePlan, planOf } from './plan.ts';
import { reportedClaude, shownClaude } from './usage.ts';

type Block =
  | { kind: 'text' | 'sealed' | 'answer' }
  | { kind: 'other'; own: JsonObject; json: string }
  | { kind: 'thinking'; detail: number }
  | { kind: 'tool'; index: number; hasInput: boolean };

type State = {
  plan: ClaudePlan;
  head: ReplyHead;
  /** Written at most once. */
  hasRole: boolean;
  blocks: Map<unknown, Block>;
  tools: number;
  details: number;
  /** Length of the content so far, for citations. */
  contentChars: number;
  usage: JsonObject;
  isComplete: boolean;
};

type Step = (state: State, event: JsonObject, out: JsonObject[]) => void;

const speak = (state: State, out: JsonObject[], delta: JsonObject): void => {
  if (!state.hasRole) out.push(roleChunk(state.head));
  state.hasRole = true;
  out.push(deltaChunk(state.head, delta));
};

const speakText = (state: State, text: string, out: JsonObject[]): void => {
  if (text === '') return;
  state.contentChars += text.length;
  speak(state, out, { content: text });
};

const speakThought = (
  state: State,
  out: JsonObject[],
  { index, text, signature }: Readonly<{ index: number; text?: string; signature?: string }>,
): void => {
  const detail = signedDetail(index, signature === undefined ? { text } : { signature });
  const shown = state.plan.showsSignatures ? { reasoning_details: [detail] } : {};
  const spoken = text === undefined ? {} : { reasoning_content: text };
  const delta = { ...spoken, ...shown };
  if (Object.keys(delta).length > 0) speak(state, out, delta);
};

const startTool = (state: State, block: JsonObject, out: JsonObject[]): Block => {
  const { answerTool, names } = state.plan;
  const name = textAt(block, 'name');
  if (answerTool !== null && name === names.up(answerTool.name)) return { kind: 'answer' };
  const index = state.tools;
  state.tools += 1;
  const hasInput = isObject(block.input) && Object.keys(block.input).length > 0;
  const args = hasInput ? JSON.stringify(block.input) : '';
  const call = { id: textAt(block, 'id'), name: names.down(name), arguments: args };
  speak(state, out, toolStart(index, call));
  return { kind: 'tool', index, hasInput };
};

const startThinking = (state: State, block: JsonObject, out: JsonObject[]): Block => {
  const detail = state.details;
  state.details += 1;
  const text = textAt(block, 'thinking');
  if (text !== '') speakThought(state, out, { index: detail, text });
  return { kind: 'thinking', detail };
};

const startSealed = (state: State, block: JsonObject, out: JsonObject[]): Block => {
  const detail = sealedDetail(state.details, block.data);
  state.details += 1;
  if (state.plan.showsSignatures) speak(state, out, { reasoning_details: [detail] });
  return { kind: 'sealed' };
};

const blockStart: Step = (state, event, out) => {
  const block = objectAt(event, 'content_block');
  const begin = (): Block => {
    switch (block.type) {
      case 'text':
        speakText(state, textAt(block, 'text'), out);
        return { kind: 'text' };
      case 'thinking':
        return startThinking(state, block, out);
      case 'redacted_thinking':
        return startSealed(state, block, out);
      case 'tool_use':
        return startTool(state, block, out);
      default:
        return { kind: 'other', own: block, json: '' };
    }
  };
  state.blocks.set(event.index, begin());
};

/** Blocks without a place with OpenAI go along as they are, when they are whole. */
const grow = (block: Extract<Block, { kind: 'other' }>, delta: JsonObject): void => {
  block.json += textAt(delta, 'partial_json');
  const { content } = delta;
  if (typeof content !== 'string') return;
  block.own = { ...block.own, content: textAt(block.own, 'content') + content };
};
const wholeBlock = ({ own, json }: Extract<Block, { kind: 'other' }>): JsonObject => {
  const input = parseObject(json);
  return input === null ? own : { ...own, input };
};

const inputDelta = (state: State, block: Block | undefined, text: string): JsonObject | null => {
  if (block?.kind === 'answer') {
    state.contentChars += text.length;
    return { content: text };
  }
  if (block?.kind !== 'tool' || text === '') return null;
  block.hasInput = true;
  return toolArguments(block.index, text);
};

const cite = (state: State, delta: JsonObject, out: JsonObject[]): void => {
  const block = { citations: [delta.citation], text: '' };
  const annotations = annotationsOf(block, state.contentChars);
  if (annotations.length > 0) speak(state, out, { annotations });
};

const blockDelta: Step = (state, event, out) => {
  const delta = objectAt(event, 'delta');
  const block = state.blocks.get(event.index);
  const index = block?.kind === 'thinking' ? block.detail : 0;
  if (block?.kind === 'other') {
    grow(block, delta);
    return;
  }
  switch (delta.type) {
    case 'text_delta':
      speakText(state, textAt(delta, 'text'), out);
      break;
    case 'thinking_delta':
      speakThought(state, out, { index, text: textAt(delta, 'thinking') });
      break;
    case 'signature_delta':
      speakThought(state, out, { index, signature: textAt(delta, 'signature') });
      break;
    case 'citations_delta':
      cite(state, delta, out);
      break;
    case 'input_json_delta': {
      const own = inputDelta(state, block, textAt(delta, 'partial_json'));
      if (own !== null) speak(state, out, own);
      break;
    }
    default:
      break;
  }
};

/** A call without arguments is a call with none, which OpenAI writes as `{}`. */
const blockStop: Step = (state, event, out) => {
  const block = state.blocks.get(event.index);
  state.blocks.delete(event.index);
  if (block?.kind === 'tool' && !block.hasInput)
    speak(state, out, toolArguments(block.index, '{}'));
  if (block?.kind === 'other') speak(state, out, { provider_content: [wholeBlock(block)] });
};

const finishFor = (state: State, stopReason: unknown): string => {
  const finish = finishOf(stopReason);
  return finish === 'tool_calls' && state.tools === 0 ? 'stop' : finish;
};

const stop = (state: State, delta: JsonObject, out: JsonObject[]): void => {
  if (typeof delta.stop_reason !== 'string') return;
  const finish = finishFor(state, delta.stop_reason);
  const word = delta.stop_sequence;
  const chunk = finishChunk(state.head, finish);
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices : [];
  out.push(
    typeof word === 'string' ? { ...chunk, choices: [{ ...choice, stop_reason: word }] } : chunk,
  );
  state.isComplete = true;
};

const messageDelta: Step = (state, event, out) => {
  // Cumulative: these values replace the earlier ones.
  state.usage = { ...state.usage, ...objectAt(event, 'usage') };
  stop(state, objectAt(event, 'delta'), out);
};

/** An answer that was made without the model is whole in its first event. */
const messageStart: Step = (state, event, out) => {
  const message = objectAt(event, 'message');
  state.head = {
    ...state.head,
    id: textAt(message, 'id') || state.head.id,
    model: textAt(message, 'model') || state.head.model,
  };
  state.usage = objectAt(message, 'usage');
  if (!state.hasRole) out.push(roleChunk(state.head));
  state.hasRole = true;
  for (const [index, block] of objectsAt(message, 'content').entries()) {
    blockStart(state, { index, content_block: block }, out);
    blockStop(state, { index }, out);
  }
  stop(state, message, out);
};

const steps: Readonly<Record<string, Step>> = {
  message_start: messageStart,
  content_block_start: blockStart,
  content_block_delta: blockDelta,
  content_block_stop: blockStop,
  message_delta: messageDelta,
};

const newState = (context: TranslationContext): State => {
  const plan = planOf(context);
  return {
    plan,
    head: newHead(context.io, plan.model),
    hasRole: false,
    blocks: new Map(),
    tools: 0,
    details: 0,
    contentChars: 0,
    usage: {},
    isComplete: false,
  };
};

/** The events of a Messages stream, whatever carried them. */
export const claudeEvents = (context: TranslationContext): StreamRules<JsonObject> => {
  const state = newState(context);
  return {
    message: (event, out): ApiError | null => {
      const error = event.type === 'error' || event.type === undefined ? claudeError(event) : null;
      if (error !== null) return error;
      steps[textAt(event, 'type')]?.(state, event, out);
      return null;
    },
    end: (out) => {
      if (!state.isComplete) return interrupted();
      if (wantsUsage(context.call) && reportedClaude(state.usage) !== null) {
        out.push(usageChunk(state.head, shownClaude(state.usage)));
      }
      return null;
    },
    usage: () => reportedClaude(state.usage),
  };
};

/** The same over server-sent events. */
export const claudeSse = (context: TranslationContext): StreamRules<SseEvent> => {
  const rules = claudeEvents(context);
  return {
    ...rules,
    message: ({ data }, out) => {
      const event = parseObject(data);
      return event === null ? null : rules.message(event, out);
    },
  };
};
