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
import { producesText } from '../shared/operations.ts';
import type { TextCall } from '../types.ts';
import type { Variant } from './variants.ts';

export type OutgoingBody = Readonly<{ body: Buffer; addedUsage: boolean }>;

/** Does the client itself want the usage chunk at the end of the stream? */
export const asksForUsage = ({ body, scan, isStream }: TextCall): boolean => {
  const member = scan.members.stream_options;
  if (!isStream || member === undefined) return false;
  const options: unknown = JSON.parse(valueText(body, member));
  return (
    typeof options === 'object' &&
    options !== null &&
    'include_usage' in options &&
    options.include_usage === true
  );
};

const withUsage = (text: string): string => {
  const options: unknown = JSON.parse(text);
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

const modelEdit = (call: TextCall, upstreamModel: string): Edit | null => {
  const member = call.scan.members.model;
  if (upstreamModel === call.model || member === undefined) return null;
  return replaceValue(member, JSON.stringify(upstreamModel));
};

/** The caller's bytes with only those places changed that must be. */
export const outgoingBody = (
  call: TextCall,
  channel: UpstreamChannel,
  { variant, upstreamModel }: Readonly<{ variant: Variant; upstreamModel: string }>,
): OutgoingBody => {
  const edits: Edit[] = [];
  const model = modelEdit(call, upstreamModel);
  if (model !== null) edits.push(model);
  const isChat = call.operation === 'chat' || call.operation === 'completions';
  const usage = isChat ? usageEdit(call, variant) : null;
  if (usage !== null) edits.push(isInsert(usage) ? appendMembers(call.scan, [usage]) : usage);
  const spliced = splice(call.body, edits);
  const overrides = channel.paramOverride;
  const body =
    overrides === null || overrides.size === 0 || !producesText(call.operation)
      ? spliced
      : // Overrides come after everything else, and only for text generation (relay sheet, 13).
        withMembers(spliced, overrides);
  return { body, addedUsage: usage !== null && variant.streamOptions === 'inject' };
};
