import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, textAt } from '../../protocol/json.ts';
import { interrupted } from '../shared/failure.ts';
import {
  deltaChunk,
  finishChunk,
  newHead,
  roleChunk,
  toolArguments,
  toolStart,
  usageChunk,
  wantsUsage,
} from '../shared/openai-chunks.ts';
import type { StreamRules } from '../shared/run-stream.ts';
import type { TranslationContext } from '../translate.ts';
import { converseFinish, reportedConverse, shownConverse } from './converse-finish-reasons.ts';

/** The events of converse-stream; `type` is the name of the frame. */
export const converseEvents = (context: TranslationContext): StreamRules<JsonObject> => {
  const head = newHead(context.io, context.call.upstreamModel);
  const tools = new Map<number, { index: number; hasInput: boolean }>();
  let usage: JsonObject = {};
  let isComplete = false;

  const start = (event: JsonObject, out: JsonObject[]): void => {
    const use = objectAt(objectAt(event, 'start'), 'toolUse');
    if (textAt(use, 'name') === '') return;
    const index = tools.size;
    tools.set(numberAt(event, 'contentBlockIndex') ?? 0, { index, hasInput: false });
    const call = { id: textAt(use, 'toolUseId'), name: textAt(use, 'name'), arguments: '' };
    out.push(deltaChunk(head, toolStart(index, call)));
  };
  const delta = (event: JsonObject, out: JsonObject[]): void => {
    const own = objectAt(event, 'delta');
    const reasoning = textAt(objectAt(own, 'reasoningContent'), 'text');
    const tool = tools.get(numberAt(event, 'contentBlockIndex') ?? 0);
    const input = textAt(objectAt(own, 'toolUse'), 'input');
    if (textAt(own, 'text') !== '') out.push(deltaChunk(head, { content: own.text }));
    if (reasoning !== '') out.push(deltaChunk(head, { reasoning_content: reasoning }));
    if (tool === undefined || input === '') return;
    tool.hasInput = true;
    out.push(deltaChunk(head, toolArguments(tool.index, input)));
  };
  const stop = (event: JsonObject, out: JsonObject[]): void => {
    const tool = tools.get(numberAt(event, 'contentBlockIndex') ?? 0);
    if (tool === undefined || tool.hasInput) return;
    tool.hasInput = true;
    out.push(deltaChunk(head, toolArguments(tool.index, '{}')));
  };
  const finish = (event: JsonObject, out: JsonObject[]): void => {
    isComplete = true;
    out.push(finishChunk(head, converseFinish(event.stopReason)));
  };

  return {
    message: (event, out) => {
      if (event.type === 'messageStart') out.push(roleChunk(head));
      else if (event.type === 'contentBlockStart') start(event, out);
      else if (event.type === 'contentBlockDelta') delta(event, out);
      else if (event.type === 'contentBlockStop') stop(event, out);
      else if (event.type === 'messageStop') finish(event, out);
      else if (isObject(event.usage)) usage = event.usage;
      return null;
    },
    end: (out) => {
      if (!isComplete) return interrupted();
      if (wantsUsage(context.call) && reportedConverse(usage) !== null) {
        out.push(usageChunk(head, shownConverse(usage)));
      }
      return null;
    },
    usage: () => reportedConverse(usage),
  };
};
