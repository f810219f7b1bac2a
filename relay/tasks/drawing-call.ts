import type { JsonObject } from '../protocol/canonical.ts';
import { numberAt, parseObject, textAt } from '../protocol/json.ts';
import { modelOfAction, readCustomId, readSimpleChange } from './drawing-actions.ts';
import { type DrawingRefusal, refused } from './drawing-error.ts';
import type { DrawingKind } from './routes.ts';

/** A call that requests a drawing, as far as its body describes it. */
export type DrawingCall = Readonly<{
  action: string;
  /** The name that is priced and routed. */
  model: string;
  /** The provider's id of the drawing that it builds on; null for a new one. */
  originId: string | null;
  /** The origin has to be finished. */
  wantsSuccess: boolean;
  prompt: string;
  body: JsonObject;
}>;

const call = (action: string, body: JsonObject, more: Partial<DrawingCall> = {}): DrawingCall => ({
  action,
  model: modelOfAction(action),
  originId: null,
  wantsSuccess: false,
  prompt: textAt(body, 'prompt'),
  body,
  ...more,
});

const indexOf = (body: JsonObject): number | null => {
  const index = numberAt(body, 'index') ?? Number(textAt(body, 'index') || Number.NaN);
  return Number.isInteger(index) && index >= 1 && index <= 4 ? index : null;
};

const changes = new Set(['UPSCALE', 'VARIATION', 'REROLL']);

const readChange = (body: JsonObject): DrawingCall | DrawingRefusal => {
  const originId = textAt(body, 'taskId');
  if (originId === '') return refused('task_id_is_required');
  const action = textAt(body, 'action').toUpperCase();
  if (action === '') return refused('action_is_required');
  if (!changes.has(action)) return refused(`unknown_action:${action.slice(0, 64)}`);
  if (action !== 'REROLL' && indexOf(body) === null) return refused('index_is_required');
  return call(action, body, { originId, wantsSuccess: true });
};

const readSimple = (body: JsonObject): DrawingCall | DrawingRefusal => {
  const content = textAt(body, 'content');
  if (content === '') return refused('content_is_required');
  const change = readSimpleChange(content);
  if (change === null) return refused('content_parse_failed');
  return call(change.action, body, { originId: change.taskId, wantsSuccess: true });
};

const readAction = (body: JsonObject): DrawingCall | DrawingRefusal => {
  const customId = textAt(body, 'customId');
  if (customId === '') return refused('custom_id_is_required');
  const read = readCustomId(customId);
  if (read.kind === 'wrong') return refused(read.why);
  const originId = textAt(body, 'taskId');
  if (originId === '') return refused('task_id_is_required');
  return call(read.action, body, { originId, wantsSuccess: true });
};

const read = (kind: DrawingKind, body: JsonObject): DrawingCall | DrawingRefusal => {
  switch (kind) {
    case 'imagine':
      return textAt(body, 'prompt') === '' ? refused('prompt_is_required') : call('IMAGINE', body);
    case 'describe':
      return call('DESCRIBE', body);
    case 'blend':
      return call('BLEND', body);
    case 'shorten':
      return call('SHORTEN', body);
    case 'upload-discord-images':
      return call('UPLOAD', body);
    case 'swap': {
      const isWhole = textAt(body, 'sourceBase64') !== '' && textAt(body, 'targetBase64') !== '';
      if (!isWhole) return refused('sour_base64_and_target_base64_is_required');
      return call('SWAP_FACE', body, { prompt: 'InsightFace' });
    }
    case 'change':
      return readChange(body);
    case 'simple-change':
      return readSimple(body);
    case 'action':
      return readAction(body);
    case 'modal': {
      const originId = textAt(body, 'taskId');
      if (originId === '') return refused('task_id_is_required');
      return call('MODAL', body, { originId });
    }
  }
};

export const readDrawingCall = (kind: DrawingKind, raw: Buffer): DrawingCall | DrawingRefusal => {
  const body = parseObject(raw.toString('utf8'));
  return body === null ? refused('bind_request_body_failed') : read(kind, body);
};
