import type { ReportedUsage } from '../../domain/pricing/bound-usage.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { memberOf } from './live-setup.ts';
import {
  type InputMeter,
  noContent,
  type OutputMeter,
  type SessionContent,
  withText,
} from './session-content.ts';

/*
 * Google's rates for the audio and video input of a session (infra/reference/protocols.md, section
 * 16.6).
 */
const audioTokensPerSecond = 25;
const pictureTokens = 258;
const bytesPerSample = 2;

const listAt = (owner: unknown, camel: string, snake: string): readonly unknown[] => {
  const list = memberOf(owner, camel, snake);
  return Array.isArray(list) ? list : [];
};

type Blob = Readonly<{ mimeType: string; data: string }>;

const blobOf = (value: unknown): Blob | null => {
  const data = textAt(value, 'data');
  const mimeType = memberOf(value, 'mimeType', 'mime_type');
  return data === '' || typeof mimeType !== 'string' ? null : { mimeType, data };
};

/** 16-bit PCM; the type contains the rate, such as `audio/pcm;rate=16000`. */
const audioTokensOf = ({ mimeType, data }: Blob, defaultRate: number): number => {
  const rate = Number(/rate=(\d{4,6})/.exec(mimeType)?.[1] ?? defaultRate);
  return ((data.length * 0.75) / bytesPerSample / rate) * audioTokensPerSecond;
};

/** What a caller sends in a session of Gemini's protocol. */
export class LiveInput implements InputMeter {
  private text = '';
  private audio = 0;
  private pictures = 0;

  fromClient(event: Fields): void {
    const { setup } = event;
    const content = memberOf(event, 'clientContent', 'client_content');
    const input = memberOf(event, 'realtimeInput', 'realtime_input');
    const results = memberOf(event, 'toolResponse', 'tool_response');
    this.addContent(memberOf(setup, 'systemInstruction', 'system_instruction'));
    for (const turn of listAt(content, 'turns', 'turns')) this.addContent(turn);
    if (results !== undefined) this.addText(JSON.stringify(results));
    if (input !== undefined) this.addInput(input);
  }

  get sinceLast(): SessionContent {
    const { text } = this;
    const imageTokens = this.pictures * pictureTokens;
    return { ...noContent, text, audioTokens: Math.floor(this.audio), imageTokens };
  }

  take(): SessionContent {
    const taken = this.sinceLast;
    this.text = '';
    this.audio = 0;
    this.pictures = 0;
    return taken;
  }

  private addInput(input: unknown): void {
    this.addText(textAt(input, 'text'));
    const single = [memberOf(input, 'audio', 'audio'), memberOf(input, 'video', 'video')];
    for (const part of [...single, ...listAt(input, 'mediaChunks', 'media_chunks')]) {
      this.addBlob(part);
    }
  }

  private addContent(content: unknown): void {
    if (typeof content === 'string') this.addText(content);
    for (const part of listAt(content, 'parts', 'parts')) {
      this.addText(textAt(part, 'text'));
      this.addBlob(memberOf(part, 'inlineData', 'inline_data'));
    }
  }

  private addText(text: string): void {
    this.text = withText(this.text, text);
  }

  private addBlob(value: unknown): void {
    const blob = blobOf(value);
    if (blob === null) return;
    if (blob.mimeType.startsWith('audio/')) this.audio += audioTokensOf(blob, 16_000);
    else this.pictures += 1;
  }
}

/** Adds what a message holds of an answer; false: it holds nothing of one. */
export const readLiveOutput = (event: Fields, output: OutputMeter): boolean => {
  const content = memberOf(event, 'serverContent', 'server_content');
  const parts = listAt(memberOf(content, 'modelTurn', 'model_turn'), 'parts', 'parts');
  for (const part of parts) {
    output.addText(textAt(part, 'text'));
    const blob = blobOf(memberOf(part, 'inlineData', 'inline_data'));
    if (blob !== null) output.addSound(audioTokensOf(blob, 24_000));
  }
  const calls = listAt(memberOf(event, 'toolCall', 'tool_call'), 'functionCalls', 'function_calls');
  for (const call of calls) output.addText(JSON.stringify(call));
  return parts.length + calls.length > 0;
};

/** Nothing that is reported takes away from what was reported before. */
const count = (usage: Fields, name: string): number => {
  const value = usage[name];
  return typeof value === 'number' && value > 0 ? value : 0;
};

/** Tokens of these modalities over several lists of details. */
const tokensOf = (usage: Fields, lists: readonly string[], modalities: readonly string[]): number =>
  lists
    .flatMap((name) => listAt(usage, name, name))
    .filter((detail) => modalities.includes(textAt(detail, 'modality')))
    .reduce<number>((sum, detail) => sum + (isFields(detail) ? count(detail, 'tokenCount') : 0), 0);

const promptLists = ['promptTokensDetails', 'toolUsePromptTokensDetails'];

/** Prompt tokens of a report, for the length of a turn. */
export const promptTokensIn = (usage: unknown): number =>
  isFields(usage) ? count(usage, 'promptTokenCount') + count(usage, 'toolUsePromptTokenCount') : 0;

/** Thoughts are billed as output, what tools brought in as input. */
const countsOf = (usage: Fields) => ({
  promptTokens: promptTokensIn(usage),
  completionTokens: count(usage, 'responseTokenCount') + count(usage, 'thoughtsTokenCount'),
  reasoningTokens: count(usage, 'thoughtsTokenCount'),
  cachedTokens: count(usage, 'cachedContentTokenCount'),
  audioInputTokens: tokensOf(usage, promptLists, ['AUDIO']),
  imageInputTokens: tokensOf(usage, promptLists, ['IMAGE', 'VIDEO']),
  cachedAudioTokens: tokensOf(usage, ['cacheTokensDetails'], ['AUDIO']),
  audioOutputTokens: tokensOf(usage, ['responseTokensDetails'], ['AUDIO']),
});

type Counts = ReturnType<typeof countsOf>;

const sumOf = (one: Counts, other: Counts): Counts => ({
  promptTokens: one.promptTokens + other.promptTokens,
  completionTokens: one.completionTokens + other.completionTokens,
  reasoningTokens: one.reasoningTokens + other.reasoningTokens,
  cachedTokens: one.cachedTokens + other.cachedTokens,
  audioInputTokens: one.audioInputTokens + other.audioInputTokens,
  imageInputTokens: one.imageInputTokens + other.imageInputTokens,
  cachedAudioTokens: one.cachedAudioTokens + other.cachedAudioTokens,
  audioOutputTokens: one.audioOutputTokens + other.audioOutputTokens,
});

/**
 * The `usageMetadata` of a turn, each of what was done since the one before; null: they contain
 * nothing. (infra/reference/protocols.md, section 16.6)
 */
export const liveUsage = (reports: unknown): ReportedUsage | null => {
  const counts = (Array.isArray(reports) ? reports : []).filter(isFields).map(countsOf);
  const [first, ...more] = counts;
  if (first === undefined) return null;
  const sum = more.reduce(sumOf, first);
  return sum.promptTokens === 0 && sum.completionTokens === 0 ? null : sum;
};
