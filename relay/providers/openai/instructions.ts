import { scanMembers } from '../../ingress/scan-body.ts';
import { valueText } from '../../ingress/splice.ts';
import type { UpstreamChannel } from '../../routing/upstream-channel.ts';
import { withMembers } from '../shared/byte-overrides.ts';
import { joinedSystem, systemPromptOf } from '../shared/channel-settings.ts';
import { parseJson } from '../shared/json.ts';

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
