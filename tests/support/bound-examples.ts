import { limitsOfModel } from '../../domain/pricing/model-limits.ts';
import type { CallMedia, TextCall } from '../../relay/protocol/calls.ts';
import { scanned } from '../../relay/protocol/normalise.ts';
import type { BoundTerms } from '../../relay/settlement/usage-bound.ts';
import { aRatioQuote } from './pricing-examples.ts';
import { aTranslatingChannel } from './vectors/context.ts';

/** A call of an answer of 30 bytes, about 6.5 tokens, and what a test changes of it. */
export type BoundExample = Readonly<{
  model?: string;
  upstreamModel?: string;
  members?: object;
  body?: Buffer;
  operation?: TextCall['operation'];
  protocol?: TextCall['protocol'];
  limit?: number;
  /** What was sent upstream; undefined: the caller's own bytes. */
  sent?: object;
  override?: ReadonlyMap<string, string> | null;
  setting?: string;
  overrideText?: string;
  isDirect?: boolean;
  type?: number;
  rough?: number;
  bytes?: number;
  thoughtBytes?: number;
  tools?: boolean;
  blobs?: number;
  media?: Partial<CallMedia>;
  isSession?: true;
}>;

const tools = { webSearch: '10', fileSearch: '2.5', quotaPerUnit: 500_000 };
const image: CallMedia = {
  pictures: 1,
  size: '',
  quality: '',
  inputTokens: null,
  maxReportedOutputTokens: 77,
};

const attemptOf = (example: BoundExample, model: string): BoundTerms['attempt'] => {
  const { type = 1, override = new Map(), setting = '', overrideText = '' } = example;
  if (example.isDirect === true) return null;
  const channel = aTranslatingChannel({ type });
  const settings = { ...channel.settings, setting, paramOverride: overrideText };
  return {
    channel: { ...channel, settings, paramOverride: override },
    upstreamModel: example.upstreamModel ?? model,
    sent: example.sent === undefined ? null : Buffer.from(JSON.stringify(example.sent)),
  };
};

export const boundTermsOf = (example: BoundExample): BoundTerms => {
  const { model = 'gpt-4o', rough = 6.5, bytes = 30, thoughtBytes = 0 } = example;
  const raw = example.body ?? Buffer.from(JSON.stringify({ model, ...example.members }));
  const given = scanned(raw);
  if (given === null) throw new Error('not JSON');
  const call: TextCall = {
    ...{ operation: example.operation ?? 'chat', protocol: example.protocol ?? 'openai', model },
    ...{ path: '', clientPath: '', isStream: false, contentType: '', accept: '' },
    body: given.body,
    scan: { ...given.scan, blobs: example.blobs ?? 0 },
    ...(example.media === undefined ? {} : { media: { ...image, ...example.media } }),
    ...(example.isSession === undefined ? {} : { isSession: true }),
  };
  return {
    call,
    quote: aRatioQuote(example.tools === true ? { tools } : {}),
    allowanceOf: limitsOfModel,
    attempt: attemptOf(example, model),
    outputLimit: example.limit ?? null,
    outputSize: {
      roughTokens: () => rough,
      maxTokens: () => bytes,
      maxThoughtTokens: () => thoughtBytes,
    },
  };
};

/** A body of so many bytes. */
export const bodyOf = (bytes: number, members: object): Buffer => {
  const empty = JSON.stringify({ model: 'gpt-4o', ...members, pad: '' });
  return Buffer.from(
    JSON.stringify({ model: 'gpt-4o', ...members, pad: 'x'.repeat(bytes - empty.length) }),
  );
};
