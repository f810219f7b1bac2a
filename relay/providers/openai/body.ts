import type { FormScan } from '../../ingress/scan-form.ts';
import {
  appendMembers,
  type Edit,
  removeMember,
  replaceValue,
  splice,
  valueText,
} from '../../ingress/splice.ts';
import type { UpstreamChannel } from '../../routing/upstream-channel.ts';
import { withMembers } from '../shared/byte-overrides.ts';
import { formWithModel } from '../shared/form-model.ts';
import { parseJson } from '../shared/json.ts';
import { producesText } from '../shared/operations.ts';
import type { TextCall } from '../types.ts';
import type { Variant } from './variants.ts';

export type OutgoingBody = Readonly<{ body: Buffer; addedUsage: boolean }>;

/** Does the client itself want the usage chunk at the end of the stream? */
export const asksForUsage = ({ body, scan, isStream }: TextCall): boolean => {
  const member = scan.members.stream_options;
  if (!isStream || member === undefined) return false;
  const options = parseJson(valueText(body, member));
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
};

const withUsage = (text: string): string => {
  const options = parseJson(text);
  const own = typeof options === 'object' && options !== null ? options : {};
  return JSON.stringify({ ...own, include_usage: true });
};

type Insert = readonly [key: string, json: string];

const usageEdit = (call: TextCall, variant: Variant): Edit | Insert | null => {
  const member = call.scan.members.stream_options;
  if (variant.streamOptions === 'remove') {
    return member === undefined ? null : removeMember(call.body, member);
  }
  if (variant.streamOptions === 'keep' || !call.isStream || asksForUsage(call)) return null;
  if (member === undefined) return ['stream_options', '{"include_usage":true}'];
  return replaceValue(member, withUsage(valueText(call.body, member)));
};

const isInsert = (edit: Edit | Insert): edit is Insert => Array.isArray(edit);

/** Pictures are drawn by a default of the provider's own when no model is named. */
const needsModel: ReadonlySet<string> = new Set(['embeddings', 'speech', 'transcription']);

const modelEdit = (call: TextCall, upstreamModel: string): Edit | Insert | null => {
  const { operation, protocol, scan } = call;
  const member = scan.members.model;
  if (member !== undefined) {
    return upstreamModel === call.model
      ? null
      : replaceValue(member, JSON.stringify(upstreamModel));
  }
  const isNamed = upstreamModel !== call.model || needsModel.has(operation);
  return protocol === 'openai' && isNamed ? ['model', JSON.stringify(upstreamModel)] : null;
};

/** A form with the upstream name of the model, in its place or as a part of its own. */
const formBody = ({ body, model, operation }: TextCall, form: FormScan, name: string): Buffer => {
  const isNamed = form.parts.some((part) => part.name === 'model' && part.fileName === null);
  const stays = name === model && (isNamed || !needsModel.has(operation));
  return stays ? body : formWithModel(body, form, name);
};

/** The last 0 of callers that let a library fill in its fields means one picture. */
const countEdit = ({ operation, body, scan }: TextCall): Edit | null => {
  const { n } = scan.members;
  if (operation !== 'images' || n === undefined) return null;
  return Number(valueText(body, n)) === 0 ? replaceValue(n, '1') : null;
};

/** The caller's bytes with only those places changed that must be. */
export const outgoingBody = (
  call: TextCall,
  channel: UpstreamChannel,
  { variant, upstreamModel }: Readonly<{ variant: Variant; upstreamModel: string }>,
): OutgoingBody => {
  if (call.form !== undefined) {
    return { body: formBody(call, call.form, upstreamModel), addedUsage: false };
  }
  const edits: Edit[] = [];
  const inserts: Insert[] = [];
  const model = modelEdit(call, upstreamModel);
  const isChat = call.operation === 'chat' || call.operation === 'completions';
  const usage = isChat ? usageEdit(call, variant) : null;
  for (const edit of [model, countEdit(call), usage]) {
    if (edit === null) continue;
    if (isInsert(edit)) inserts.push(edit);
    else edits.push(edit);
  }
  if (inserts.length > 0) edits.push(appendMembers(call.scan, inserts));
  const spliced = splice(call.body, edits);
  const overrides = channel.paramOverride;
  const body =
    overrides === null || overrides.size === 0 || !producesText(call.operation)
      ? spliced
      : // Overrides come after everything else, and only for text generation (relay sheet, 13).
        withMembers(spliced, overrides);
  return { body, addedUsage: usage !== null && variant.streamOptions === 'inject' };
};
