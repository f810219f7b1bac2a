import type { UpstreamChannel } from '../../../feeds/upstream-channel.ts';
import { parseJson } from '../../../protocol/json.ts';
import { scanMembers } from '../../../protocol/scan-body.ts';
import { valueText } from '../../../protocol/splice.ts';
import { withMembers } from '../byte-overrides.ts';
import { joinedSystem, systemPromptOf } from '../channel-settings.ts';

/** A call of the Responses API with the operator's words before the caller's. */
export const withInstructions = (body: Buffer, channel: UpstreamChannel): Buffer => {
  const prompt = systemPromptOf(channel);
  if (prompt === null) return body;
  const member = scanMembers(body)?.get('instructions');
  const own = member === undefined ? null : parseJson(valueText(body, member));
  const joined = joinedSystem(prompt, typeof own === 'string' ? own : null);
  return joined === null
    ? body
    : withMembers(body, new Map([['instructions', JSON.stringify(joined)]]));
};
