import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import type { TextCall } from '../../../protocol/calls.ts';
import { parseJson } from '../../../protocol/json.ts';
import { producesText } from '../../../protocol/operations.ts';
import type { FormScan } from '../../../protocol/scan-form.ts';
import {
  appendMembers,
  type Edit,
  removeMember,
  replaceValue,
  splice,
  valueText,
} from '../../../protocol/splice.ts';
import { withOverride } from '../byte-overrides.ts';
import { formWithModel } from '../form-model.ts';
import type { OpenAiRules } from './rules.ts';

export type OutgoingBody = Readonly<{ body: Buffer; addedUsage: boolean }>;

/** Whether the client itself requested the usage chunk at the end of the stream. */
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

const usageEdit = (call: TextCall, rules: OpenAiRules): Edit | Insert | null => {
  const member = call.scan.members.stream_options;
  if (rules.streamOptions === 'remove') {
    return member === undefined ? null : removeMember(call.body, member);
  }
  if (rules.streamOptions === 'keep' || !call.isStream || asksForUsage(call)) return null;
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

/** A form with the upstream name of the model, in its place or as an added part. */
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

const withEdits = (call: TextCall, changes: readonly (Edit | Insert | null)[]): Buffer => {
  const edits: Edit[] = [];
  const inserts: Insert[] = [];
  for (const edit of changes) {
    if (edit === null) continue;
    if (isInsert(edit)) inserts.push(edit);
    else edits.push(edit);
  }
  if (inserts.length > 0) edits.push(appendMembers(call.scan, inserts));
  return splice(call.body, edits);
};

/** Overrides are applied after everything else, and only for text generation. */
const overridesOf = ({ paramOverride }: UpstreamChannel, { operation }: TextCall) =>
  paramOverride !== null && paramOverride.size > 0 && producesText(operation)
    ? paramOverride
    : null;

/** The caller's bytes with only those places changed that must be. */
export const outgoingBody = (
  call: TextCall,
  channel: UpstreamChannel,
  { rules, upstreamModel }: Readonly<{ rules: OpenAiRules; upstreamModel: string }>,
): OutgoingBody => {
  if (call.form !== undefined) {
    return { body: formBody(call, call.form, upstreamModel), addedUsage: false };
  }
  const isChat = call.operation === 'chat' || call.operation === 'completions';
  const usage = isChat ? usageEdit(call, rules) : null;
  const edited = withEdits(call, [modelEdit(call, upstreamModel), countEdit(call), usage]);
  const overrides = overridesOf(channel, call);
  const body = overrides === null ? edited : withOverride(edited, overrides);
  return { body, addedUsage: usage !== null && rules.streamOptions === 'inject' };
};
