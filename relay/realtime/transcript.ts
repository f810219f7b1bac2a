import type { BoundedUsage, ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import type { PriceTable } from '../../domain/pricing/compile-prices.ts';
import { usedAnything } from '../../domain/pricing/counts.ts';
import { isPriced, quoteFor } from '../../domain/pricing/quote.ts';
import type { Quote, Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Reservation } from '../admission/lease-book.ts';
import type { Admitted } from '../exchange/admitted.ts';
import { Booking } from '../exchange/booking.ts';
import { Funding } from '../exchange/funding.ts';
import { audioTimeTokens } from '../metering/audio-length.ts';
import { believed, saysNothing } from '../metering/counted-usage.ts';
import type { Counting } from '../metering/counting.ts';
import { nothingSeen } from '../metering/seen-answer.ts';
import { mediaUsage } from '../providers/openai/media.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { inputSoundTokens } from './heard.ts';
import { admittedOf, type Terms } from './terms.ts';
import type { TurnHost } from './turn.ts';

export const transcriptDone = 'conversation.item.input_audio_transcription.completed';

const note = 'transcript of what was said';
const outputSlack = 65_536;
const noTokens = { promptTokens: 0, completionTokens: 0, cachedTokens: 0, cacheCreationTokens: 0 };

type Pricing = Readonly<{ prices: PriceTable; group: string; model: string; session: Quote }>;

/**
 * By the price of the model that writes, where it has one; else by that of the session, which is
 * paid with the first answer where it is paid by the call.
 */
const quoteOf = ({ prices, group, model, session }: Pricing): Quote => {
  const own =
    model !== '' && isPriced(prices, model)
      ? quoteFor(prices, { model, group, acceptUnpriced: false })
      : 'unpriced';
  if (own !== 'unpriced') return own;
  return session.kind === 'price' ? { ...session, modelPrice: '0' } : session;
};

type Said = Readonly<{ event: Fields; model: string; seconds: number; quote: Quote }>;

/** Sound costs what its tokens cost in a session, and its time where the writer has a price. */
const timeUsage = (seconds: number, { quote, model }: Said): ReportedUsage & Usage => {
  if (quote.model === model) return { ...noTokens, promptTokens: audioTimeTokens(seconds) };
  const tokens = inputSoundTokens(seconds);
  return { ...noTokens, promptTokens: tokens, ...(tokens > 0 ? { audioInputTokens: tokens } : {}) };
};

const reportedOf = (said: Said): ReportedUsage | null => {
  const { usage } = said.event;
  const isTime = isFields(usage) && usage.type === 'duration' && typeof usage.seconds === 'number';
  return isTime ? timeUsage(Number(usage.seconds), said) : mediaUsage(usage);
};

type Counter = Readonly<{ counting: Counting; userId: UserId }>;

const countedOf = async (said: Said, { counting, userId }: Counter): Promise<Usage> => {
  const usage = timeUsage(said.seconds, said);
  if (said.quote.model === said.model) return usage;
  const text = textAt(said.event, 'transcript');
  const words = await counting.billedText({ text, model: said.quote.model, userId });
  return { ...usage, completionTokens: words };
};

const admittedTo = (
  host: TurnHost,
  terms: Terms,
  said: Said,
  reservation: Reservation,
): Admitted => {
  const admitted = admittedOf(host.core, terms, { reservation, isFirst: false });
  const inputTokens = audioTimeTokens(said.seconds);
  const mostOutputTokens = inputTokens * 4 + outputSlack;
  const media = { pictures: 0, size: '', quality: '', inputTokens, mostOutputTokens };
  const { quote } = said;
  const call = { ...admitted.call, operation: 'transcription', model: quote.model, media } as const;
  return { ...admitted, quote, call };
};

type Result = BoundedUsage & Readonly<{ source: 'upstream' | 'counted' }>;

const resultOf = async (said: Said, admitted: Admitted, counting: Counting): Promise<Result> => {
  const reported = reportedOf(said);
  const { call, quote } = admitted;
  const terms = { call, quote, attempt: null, outputLimit: null, seen: nothingSeen };
  const bounded = reported === null ? null : believed(reported, terms);
  if (bounded !== null && !saysNothing(bounded.usage, bounded.note)) {
    return { ...bounded, source: 'upstream' };
  }
  const { userId } = admitted.caller.account;
  return { usage: await countedOf(said, { counting, userId }), note: null, source: 'counted' };
};

/**
 * Charges for what a session's caller said and the provider wrote down: a request of its own in the
 * books. Resolves once they have it.
 */
export const bookTranscript = async (
  host: TurnHost,
  terms: Terms,
  { event, reservation }: Readonly<{ event: Fields; reservation: Reservation }>,
): Promise<void> => {
  const { core, heard, facts } = host;
  const { prices } = core.options.current();
  const model = heard.transcriptModel;
  const quote = quoteOf({ prices, group: terms.group, model, session: terms.purse.quote });
  const said = { event, model, quote, seconds: heard.spoken.take(textAt(event, 'item_id')) };
  const admitted = admittedTo(host, terms, said, reservation);
  const result = await resultOf(said, admitted, core.counting);
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
