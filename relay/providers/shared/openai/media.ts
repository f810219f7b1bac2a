import type { ReportedUsage } from '../../../../domain/pricing/bound-usage.ts';
import { audioTimeTokens } from '../../../protocol/audio-length.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { isObject, objectAt, parseObject, textAt } from '../../../protocol/json.ts';
import { outputMembers } from '../../../protocol/output-scan.ts';
import { lastUsage } from '../../../protocol/usage-scan.ts';
import type { PassThroughAdapter, UsageGatherer, Wire } from '../../types.ts';

const usageIn = (bytes: Buffer): JsonObject | null => {
  const found = lastUsage(bytes);
  return found === null ? null : parseObject(bytes.toString('utf8', found.start, found.end));
};

/** Usage is part of the last event of pictures and transcripts. */
class MediaUsage implements UsageGatherer {
  private usage: JsonObject | null = null;

  read(events: Buffer): void {
    this.usage = usageIn(events) ?? this.usage;
  }

  found(): unknown {
    return this.usage;
  }
}

const lastEvents = [
  'image_generation.completed',
  'image_edit.completed',
  'speech.audio.done',
  'transcript.text.done',
];

const openBrace = 0x7b;

/** How answers of the APIs for pictures and sound read; most of them are files. */
const mediaWire: Wire = {
  gather: () => new MediaUsage(),
  wholeUsage: (body) => (body[0] === openBrace ? usageIn(body) : usageIn(body.subarray(-16_384))),
  closing: lastEvents.map((name) => Buffer.from(name)),
  endsAtClosing: false,
  text: (answer) => {
    if (!isObject(answer)) return '';
    if (typeof answer.text === 'string') return answer.text;
    return textAt(answer, 'type') === 'transcript.text.delta' ? textAt(answer, 'delta') : '';
  },
  outputMembers: outputMembers('delta'),
  // Pictures and audio are long for what they cost: their bytes do not indicate tokens.
  overheadBytes: Number.MAX_SAFE_INTEGER,
  cutOff: () => '',
};

const detailOf = (usage: JsonObject, side: string, name: string): unknown =>
  objectAt(usage, `${side}_tokens_details`)[name] ?? objectAt(usage, `${side}_token_details`)[name];

const timed = ({ seconds }: JsonObject): ReportedUsage => ({
  promptTokens: typeof seconds === 'number' ? audioTimeTokens(seconds) : seconds,
  completionTokens: 0,
});

/** Tokens of text, pictures and sound, or the time of a sound. */
export const mediaUsage = (reported: unknown): ReportedUsage | null => {
  if (!isObject(reported)) return null;
  if (reported.type === 'duration') return timed(reported);
  const promptTokens = reported.input_tokens ?? reported.prompt_tokens;
  const completionTokens = reported.output_tokens ?? reported.completion_tokens;
  const isSilent = [promptTokens, completionTokens].every((own) => own === undefined || own === 0);
  if (isSilent) return null;
  return {
    promptTokens,
    completionTokens,
    cachedTokens: detailOf(reported, 'input', 'cached_tokens'),
    imageInputTokens: detailOf(reported, 'input', 'image_tokens'),
    audioInputTokens: detailOf(reported, 'input', 'audio_tokens'),
    audioOutputTokens: detailOf(reported, 'output', 'audio_tokens'),
  };
};

/** The APIs for pictures and sound of a provider that has them: its chat adapter, other answers. */
export const mediaOf = (
  text: Pick<PassThroughAdapter, 'request' | 'failure'>,
): PassThroughAdapter => ({
  ...text,
  usage: mediaUsage,
  wire: mediaWire,
});
