import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { usedAnything } from '../../domain/pricing/counts.ts';
import { isPriced, quoteFor } from '../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Admitted } from '../admission/admitted.ts';
import type { Reservation } from '../admission/lease-book.ts';
import { audioTimeTokens } from '../protocol/audio-length.ts';
import { mediaUsage } from '../providers/shared/openai/media.ts';
import { Charge, type Use } from '../settlement/charge.ts';
import type { Counting } from '../settlement/counting.ts';
import { noOutput } from '../settlement/output-size.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { admittedOf, responseTrace, type SessionPlan } from './session-plan.ts';
import { type ResponseHost, sessionFunding } from './session-response.ts';
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

type Charged = Readonly<{ charge: Charge; counter: Counter }>;

const useOf = async (transcript: Transcript, { charge, counter }: Charged): Promise<Use> => {
  const bounded = charge.bounded(reportedOf(transcript), { attempt: null, outputSize: noOutput });
  if (bounded === null) {
    const usage = await countedOf(transcript, counter);
    return { usage, note, source: 'counted', end: 'complete' };
  }
  const notes = bounded.note === null ? note : `${note}; ${bounded.note}`;
  return { usage: bounded.usage, note: notes, source: 'upstream', end: 'complete' };
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
  const charge = new Charge(core, admitted, sessionFunding(core, admitted));
  const { userId } = plan.caller.account;
  const counter = { counting: core.counting, userId };
  const use = await useOf(transcript, { charge, counter });
  if (!usedAnything(use.usage)) {
    core.leaseBook.settle(reservation, 0);
    return;
  }
  charge.start();
  const upstreamModel = model === '' ? facts.upstreamModel : model;
  const named = { ...host, facts: { ...facts, upstreamModel } };
  const trace = responseTrace(named, plan, admitted);
  trace?.used(use.usage, 'complete');
  trace?.attemptEnded();
  await charge.whenUsed(use, { ...facts, upstreamModel, firstByteMs: null });
};
