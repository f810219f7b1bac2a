import { expect } from 'vitest';
import type { ReportedUsage } from '../../../domain/pricing/bound-usage.ts';
import { isApiError } from '../../../relay/admission/caller.ts';
import { ProducedText } from '../../../relay/exchange/produced-text.ts';
import { scanned } from '../../../relay/ingress/normalise.ts';
import { checkText } from '../../../relay/ingress/validate.ts';
import { believed } from '../../../relay/metering/counted-usage.ts';
import type { SeenAnswer } from '../../../relay/metering/seen-answer.ts';
import { isMedia, producesText } from '../../../relay/providers/shared/operations.ts';
import type {
  HttpRequest,
  JsonObject,
  TranslationContext,
} from '../../../relay/providers/translate.ts';
import { aRatioQuote } from '../pricing-examples.ts';

/** An answer in one piece, by its size. */
export const wholeAnswer = (bytes: number): SeenAnswer => ({
  roughTokens: () => bytes,
  maxTokens: () => 2 * bytes,
  maxThoughtTokens: () => 2 * bytes,
});

export const streamedAnswer = (chunks: readonly JsonObject[]): SeenAnswer => {
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
  { request, seen }: Readonly<{ request: HttpRequest; seen: SeenAnswer }>,
): void => {
  const given = scanned(Buffer.from(JSON.stringify(call.body)));
  if (reported === null || given === null || isMedia(call.operation)) return;
  const limits = checkText(call.operation, given.body, given.scan);
  const { operation, path, requestedModel: model, upstreamModel, isStream } = call;
  const plain = { clientPath: path, contentType: 'application/json', accept: '' };
  const { note } = believed(reported, {
    call: { operation, protocol: 'openai', path, model, isStream, ...given, ...plain },
    quote: aRatioQuote(),
    attempt: { channel, upstreamModel, sent: sentOf(request) },
    outputLimit: isApiError(limits) || !producesText(operation) ? null : limits.outputLimit,
    seen,
  });
  // Searches are paid where the quote has a price for them.
  expect(note?.replace(/web searches.*/, '') || null).toBeNull();
};
