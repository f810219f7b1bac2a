import { isApiError } from '../../protocol/api-error.ts';
import { numberAt } from '../../protocol/json.ts';
import { scanMembers } from '../../protocol/scan-body.ts';
import { valueText } from '../../protocol/splice.ts';
import { withMembers } from '../shared/byte-overrides.ts';
import { nativeGeminiModel } from '../shared/gemini/native-body.ts';
import type { PromptCounter } from '../types.ts';
import { contentPassThrough } from './native.ts';

/** The request whose prompt is counted: the body itself, or the one inside it. */
const innerBody = (body: Buffer): Buffer => {
  const members = scanMembers(body);
  const inner = members?.get('generateContentRequest') ?? members?.get('generate_content_request');
  return inner === undefined ? body : Buffer.from(valueText(body, inner));
};

/**
 * https://ai.google.dev/api/tokens: besides bare contents only a whole request is accepted, which
 * names its model.
 */
export const contentCounter: PromptCounter = {
  request: (call, channel, options) => {
    const request = contentPassThrough.request(
      { ...call, body: innerBody(call.body) },
      channel,
      options,
    );
    if (isApiError(request)) return request;
    const name = JSON.stringify(`models/${nativeGeminiModel(request.upstreamModel, options)}`);
    const whole = withMembers(request.body, new Map([['model', name]]));
    const body = `{"generateContentRequest":${whole.toString('utf8')}}`;
    return { ...request, body: Buffer.from(body) };
  },
  tokens: (answer) => numberAt(answer, 'totalTokens'),
};
