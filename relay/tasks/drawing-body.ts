import type { RelayOptions } from '../feeds/options.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { textAt, without } from '../protocol/json.ts';
import type { DrawingCall } from './drawing-call.ts';

const modes = /--(?:fast|relax|turbo)/g;

/**
 * The caller's body after the operator's switches (infra/reference/tasks.md, section 5). `hook`: where the
 * provider may call back, for callers that name no place of their own.
 */
export const drawingBody = (
  { body }: DrawingCall,
  { drawing }: Pick<RelayOptions, 'drawing'>,
  hook: string | null,
): JsonObject => {
  const removed = [
    ...(drawing.notify ? [] : ['notifyHook']),
    ...(drawing.accountFilter ? [] : ['accountFilter']),
  ];
  const kept = without(body, removed);
  const prompt = textAt(kept, 'prompt');
  if (drawing.clearsMode && prompt !== '') kept.prompt = prompt.replaceAll(modes, '').trim();
  if (drawing.notify && hook !== null && textAt(kept, 'notifyHook') === '') kept.notifyHook = hook;
  return kept;
};
