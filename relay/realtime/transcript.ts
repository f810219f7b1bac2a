import type { BoundedUsage, ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { usedAnything } from '../../domain/pricing/counts.ts';
import { isPriced, quoteFor } from '../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { Reservation } from '../admission/lease-book.ts';
import { audioTimeTokens } from '../protocol/audio-length.ts';
import { mediaUsage } from '../providers/shared/openai/media.ts';
import { Booking } from '../settlement/booking.ts';
import { believed, saysNothing } from '../settlement/counted-usage.ts';
import type { Counting } from '../settlement/counting.ts';
import { Funding } from '../settlement/funding.ts';
import { noOutput } from '../settlement/output-size.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { admittedOf, responseTrace, type SessionPlan } from './session-plan.ts';
import type { ResponseHost } from './session-response.ts';
import { inputAudioTokens, type SessionInput } from './session-usage.ts';

/** Transcripts are part of OpenAI's protocol alone. */
export type TranscriptHost = ResponseHost & Readonly<{ input: SessionInput }>;

export const transcriptDone = 'conversation.item.input_audio_transcription.completed';

const note = 'transcript of the audio';
const outputSlack = 65_536;
const noTokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 };

type Pricing = Readonly<{ prices: PriceTable; group: string; model: string; session: Quote }>;

/**
 * By the price of the transcription model, where it has one; else by that of the session, whose
 * price per call is charged with the first response.
 */
const quoteOf = ({ prices, group, model, session }: Pricing): Quote => {
  const own =
    model !== '' && isPriced(prices, model)
      ? quoteFor(prices, { model, group, acceptUnpriced: false })
      : 'unpriced';
  if (own !== 'unpriced') return own;
  return session.kind === 'price' ? { ...session, modelPrice: '0' } : session;
};

type Transcript = Readonly<{ event: Fields; model: string; seconds: number; quote: Quote }>;

/** Input audio by the session's tokens, or by time where the transcription model has a price. */
const timeUsage = (seconds: number, { quote, model }: Transcript): ReportedUsage & Usage => {
  if (quote.model === model) return { ...noTokens, promptTokens: audioTimeTokens(seconds) };
  const tokens = inputAudioTokens(seconds);
  return { ...noTokens, promptTokens: tokens, ...(tokens > 0 ? { audioInputTokens: tokens } : {}) };
};

const reportedOf = (transcript: Transcript): ReportedUsage | null => {
  const { usage } = transcript.event;
  const isTime = isFields(usage) && usage.type === 'duration' && typeof usage.seconds === 'number';
  return isTime ? timeUsage(Number(usage.seconds), transcript) : mediaUsage(usage);
};

type Counter = Readonly<{ counting: Counting; userId: UserId }>;

const countedOf = async (transcript: Transcript, { counting, userId }: Counter): Promise<Usage> => {
  const usage = timeUsage(transcript.seconds, transcript);
  if (transcript.quote.model === transcript.model) return usage;
  const text = textAt(transcript.event, 'transcript');
  const transcriptTokens = await counting.billedText({
    text,
    model: transcript.quote.model,
    userId,
  });
  return { ...usage, completionTokens: transcriptTokens };
};

const admittedTo = (
  host: TranscriptHost,
  plan: SessionPlan,
  { transcript, reservation }: Readonly<{ transcript: Transcript; reservation: Reservation }>,
): Admitted => {
  const admitted = admittedOf(host.core, plan, { reservation, isFirst: false });
  const inputTokens = audioTimeTokens(transcript.seconds);
  const maxReportedOutputTokens = inputTokens * 4 + outputSlack;
  const media = { pictures: 0, size: '', quality: '', inputTokens, maxReportedOutputTokens };
  const { quote } = transcript;
  const call = { ...admitted.call, operation: 'transcription', model: quote.model, media } as const;
  return { ...admitted, quote, call };
};

type Result = BoundedUsage & Readonly<{ source: 'upstream' | 'counted' }>;

const resultOf = async (
  transcript: Transcript,
  admitted: Admitted,
  counting: Counting,
): Promise<Result> => {
  const reported = reportedOf(transcript);
  const { call, quote } = admitted;
  const limits = { call, quote, attempt: null, outputLimit: null, outputSize: noOutput };
  const bounded = reported === null ? null : believed(reported, limits);
  if (bounded !== null && !saysNothing(bounded.usage, bounded.note)) {
    return { ...bounded, source: 'upstream' };
  }
  const { userId } = admitted.caller.account;
  return {
    usage: await countedOf(transcript, { counting, userId }),
    note: null,
    source: 'counted',
  };
};

/** Charges a transcript of input audio as a separate request. Resolves when it is recorded. */
export const bookTranscript = async (
  host: TranscriptHost,
  plan: SessionPlan,
  { event, reservation }: Readonly<{ event: Fields; reservation: Reservation }>,
): Promise<void> => {
  const { core, input, facts } = host;
  const { prices } = core.options.current();
  const model = input.transcriptModel;
  const quote = quoteOf({
    prices,
    group: plan.group,
    model,
    session: plan.sessionReservation.quote,
  });
  const transcript = { event, model, quote, seconds: input.speech.take(textAt(event, 'item_id')) };
  const admitted = admittedTo(host, plan, { transcript, reservation });
  const result = await resultOf(transcript, admitted, core.counting);
  if (!usedAnything(result.usage)) {
    core.leaseBook.settle(reservation, 0);
    return;
  }
  const { coveredTokens } = admitted;
  const funding = new Funding(core.leaseBook, {
    reservation,
    quote,
    coveredTokens,
    outputLimit: null,
  });
  const booking = new Booking(core, admitted, funding);
  booking.claim();
  booking.start();
  const notes = result.note === null ? note : `${note}; ${result.note}`;
  const upstreamModel = model === '' ? facts.upstreamModel : model;
  const named = { ...host, facts: { ...facts, upstreamModel } };
  const trace = responseTrace(named, plan, admitted);
  trace?.used(result.usage, 'complete');
  trace?.attemptEnded();
  await new Promise<void>((resolve) => {
    const settled = {
      usage: result.usage,
      source: result.source,
      note: notes,
      end: 'complete',
    } as const;
    booking.used(settled, { ...facts, upstreamModel, firstByteMs: null }, resolve);
  });
};
