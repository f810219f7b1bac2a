import type { Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Counting } from '../settlement/counting.ts';
import { roughTokens } from '../settlement/rough-tokens.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { PendingTranscripts } from './pending-transcripts.ts';
import { SpeechSegments } from './speech-segments.ts';

/** Tokens for a second of audio: 100 for each 0.06, 200 for each 0.24 of a minute's price. */
const inputTokensPerSecond = 100 / 0.06 / 60;
const outputTokensPerSecond = 200 / 0.24 / 60;
const maxText = 1_048_576;

/** 16-bit PCM at 24 kHz, or G.711 at 8 kHz (infra/reference/protocols.md, section 16.4). */
const bytesPerSecond = (format: string): number =>
  format === '' || format === 'pcm16' || format === 'audio/pcm' ? 48_000 : 8_000;

const formatIn = (session: unknown, side: 'input' | 'output'): string => {
  const old = textAt(session, `${side}_audio_format`);
  if (old !== '' || !isFields(session) || !isFields(session.audio)) return old;
  const own = session.audio[side];
  return isFields(own) ? textAt(own.format, 'type') : '';
};

/** The model that transcribes input audio; "" where transcription is off. null: not stated. */
const transcriptModelIn = (session: unknown): string | null => {
  if (!isFields(session)) return null;
  if (session.input_audio_transcription !== undefined) {
    return textAt(session.input_audio_transcription, 'model');
  }
  const { audio } = session;
  const input = isFields(audio) ? audio.input : undefined;
  if (!isFields(input) || input.transcription === undefined) return null;
  return textAt(input.transcription, 'model');
};

/** Input audio in tokens. */
export const inputAudioTokens = (seconds: number): number =>
  Math.floor(seconds * inputTokensPerSecond);

const secondsOf = (base64: string, format: string): number =>
  (base64.length * 0.75) / bytesPerSecond(format);

/** Text and audio of one direction, as measured by this relay. */
type Content = { text: string; seconds: number };

const noContent = (): Content => ({ text: '', seconds: 0 });

const addText = (content: Content, text: string): void => {
  if (content.text.length < maxText) content.text += text.slice(0, maxText - content.text.length);
};

const itemTexts = (item: unknown): readonly string[] => {
  if (!isFields(item)) return [];
  const { content } = item;
  const parts = Array.isArray(content) ? content.map((part) => textAt(part, 'text')) : [];
  return [...parts, textAt(item, 'output')];
};

/** Input of a session, for responses whose provider reports no usage. */
export class SessionInput {
  private input = noContent();
  private inputFormat = '';
  outputFormat = '';
  transcriptModel = '';
  /** For transcripts, which are charged apart from responses. */
  readonly speech = new SpeechSegments();
  readonly pendingTranscripts = new PendingTranscripts();

  session(session: unknown): void {
    this.inputFormat = formatIn(session, 'input') || this.inputFormat;
    this.outputFormat = formatIn(session, 'output') || this.outputFormat;
    this.transcriptModel = transcriptModelIn(session) ?? this.transcriptModel;
  }

  fromClient(event: Fields): void {
    switch (event.type) {
      case 'input_audio_buffer.append': {
        const seconds = secondsOf(textAt(event, 'audio'), this.inputFormat);
        this.input.seconds += seconds;
        this.speech.add(seconds);
        break;
      }
      case 'input_audio_buffer.commit':
        if (this.transcriptModel !== '') this.pendingTranscripts.committed();
        break;
      case 'input_audio_buffer.clear':
        this.speech.clear();
        break;
      case 'conversation.item.create':
        for (const text of itemTexts(event.item)) addText(this.input, text);
        break;
      case 'session.update':
        addText(this.input, textAt(event.session, 'instructions'));
        break;
    }
  }

  /** Input since the last response, which stays for its charge. */
  get sinceLast(): Readonly<Content> {
    return this.input;
  }

  /** The same, which counts no more. */
  take(): Readonly<Content> {
    const taken = this.input;
    this.input = noContent();
    return taken;
  }
}

/** Counts tokens of a text by the table of a model. */
type Counter = Readonly<{ counting: Counting; model: string; userId: UserId }>;

/** Output of one response so far. */
export class ResponseOutput {
  private readonly output = noContent();
  private outputTokens = 0;

  /** true when the event is a delta of a response. */
  read(event: Fields, type: string, outputFormat: string): boolean {
    if (!type.startsWith('response.') || !type.endsWith('.delta')) return false;
    const delta = textAt(event, 'delta');
    if (type.endsWith('audio.delta')) this.output.seconds += secondsOf(delta, outputFormat);
    else {
      addText(this.output, delta);
      this.outputTokens += roughTokens(delta);
    }
    return true;
  }

  /** An estimate, for the reservation while the response runs. */
  get textTokens(): number {
    return this.outputTokens;
  }

  get audioTokens(): number {
    return this.output.seconds * outputTokensPerSecond;
  }

  /** Never fails: where no table counts, a rough estimate is charged. */
  async usage(input: Readonly<Content>, { counting, model, userId }: Counter): Promise<Usage> {
    const audioInputTokens = inputAudioTokens(input.seconds);
    const audioOutputTokens = Math.floor(this.audioTokens);
    const [promptTokens, completionTokens] = await Promise.all([
      counting.billedText({ text: input.text, model, userId }),
      counting.billedText({ text: this.output.text, model, userId }),
    ]);
    return usageOf({ promptTokens, completionTokens, audioInputTokens, audioOutputTokens });
  }
}

type Counts = Readonly<{
  promptTokens: number;
  completionTokens: number;
  audioInputTokens: number;
  audioOutputTokens: number;
}>;

const usageOf = ({
  promptTokens,
  completionTokens,
  audioInputTokens,
  audioOutputTokens,
}: Counts): Usage => ({
  promptTokens: promptTokens + audioInputTokens,
  completionTokens: completionTokens + audioOutputTokens,
  cachedTokens: 0,
  cacheCreationTokens: 0,
  ...(audioInputTokens > 0 ? { audioInputTokens } : {}),
  ...(audioOutputTokens > 0 ? { audioOutputTokens } : {}),
});
