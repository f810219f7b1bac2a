import { expect } from 'vitest';
import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import { limitsOfModel } from '../../../domain/pricing/model-limits.ts';
import { checkText } from '../../../relay/admission/validate.ts';
import { ProducedText } from '../../../relay/delivery/produced-text.ts';
import { isApiError } from '../../../relay/protocol/api-error.ts';
import type { JsonObject } from '../../../relay/protocol/canonical.ts';
import { scanned } from '../../../relay/protocol/normalise.ts';
import { isMedia, producesText } from '../../../relay/protocol/operations.ts';
import type { TranslationContext } from '../../../relay/providers/translate.ts';
import { believed } from '../../../relay/settlement/counted-usage.ts';
import type { OutputSize } from '../../../relay/settlement/output-size.ts';
import type { HttpRequest } from '../../../relay/upstream/types.ts';
import { aRatioQuote } from '../pricing-examples.ts';

/** An answer in one piece, by its size. */
export const wholeAnswer = (bytes: number): OutputSize => ({
  roughTokens: () => bytes,
  maxTokens: () => 2 * bytes,
  maxThoughtTokens: () => 2 * bytes,
});

export const streamedAnswer = (chunks: readonly JsonObject[]): OutputSize => {
  const said = new ProducedText();
  for (const chunk of chunks) said.add(chunk);
  return said;
};

const sentOf = ({ body }: HttpRequest): Buffer | null =>
  typeof body === 'string' || Buffer.isBuffer(body) ? Buffer.from(body) : null;

/** What a provider really reported is charged as it stands. */
export const expectBelieved = (
  reported: ReportedUsage | null,
  { call, channel }: TranslationContext,
  { request, outputSize }: Readonly<{ request: HttpRequest; outputSize: OutputSize }>,
): void => {
  const given = scanned(Buffer.from(JSON.stringify(call.body)));
  if (reported === null || given === null || isMedia(call.operation)) return;
  const limits = checkText(call.operation, given.body, given.scan);
  const { operation, path, requestedModel: model, upstreamModel, isStream } = call;
  const plain = { clientPath: path, contentType: 'application/json', accept: '' };
  const { note } = believed(reported, {
    call: { operation, protocol: 'openai', path, model, isStream, ...given, ...plain },
    quote: aRatioQuote(),
    allowanceOf: limitsOfModel,
    attempt: { channel, upstreamModel, sent: sentOf(request) },
    outputLimit: isApiError(limits) || !producesText(operation) ? null : limits.outputLimit,
    outputSize,
  });
  // Searches are paid where the quote has a price for them.
  expect(note?.replace(/web searches.*/, '') || null).toBeNull();
};
