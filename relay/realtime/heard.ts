import type { Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Counting } from '../metering/counting.ts';
import { roughTokens } from '../metering/rough-tokens.ts';
import { Awaited } from './awaited.ts';
import { type Fields, isFields, textAt } from './frames.ts';
import { Spoken } from './spoken.ts';

/** Tokens for a second of sound: 100 for each 0.06, 200 for each 0.24 of a minute's price. */
const inputTokensPerSecond = 100 / 0.06 / 60;
const outputTokensPerSecond = 200 / 0.24 / 60;
const mostText = 1_048_576;

/** 24 kHz of two bytes, or a telephone's 8 kHz of one (relay sheet, section 21). */
const bytesPerSecond = (format: string): number =>
  format === '' || format === 'pcm16' || format === 'audio/pcm' ? 48_000 : 8_000;

const formatIn = (session: unknown, side: 'input' | 'output'): string => {
  const old = textAt(session, `${side}_audio_format`);
  if (old !== '' || !isFields(session) || !isFields(session.audio)) return old;
  const own = session.audio[side];
  return isFields(own) ? textAt(own.format, 'type') : '';
};

/** Who writes down what the caller says; "" where nobody does. null: nothing is said of it. */
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

/** What so much of a caller's sound counts for, in tokens. */
export const inputSoundTokens = (seconds: number): number =>
  Math.floor(seconds * inputTokensPerSecond);

const secondsOf = (base64: string, format: string): number =>
  (base64.length * 0.75) / bytesPerSecond(format);

/** What was said in one direction, by our own ears. */
type Said = { text: string; seconds: number };

const nothingSaid = (): Said => ({ text: '', seconds: 0 });

const addText = (said: Said, text: string): void => {
  if (said.text.length < mostText) said.text += text.slice(0, mostText - said.text.length);
};

const itemTexts = (item: unknown): readonly string[] => {
  if (!isFields(item)) return [];
  const { content } = item;
  const parts = Array.isArray(content) ? content.map((part) => textAt(part, 'text')) : [];
  return [...parts, textAt(item, 'output')];
};

/** What goes up in a session, for turns whose provider does not report their usage. */
export class Heard {
  private input = nothingSaid();
  private inputFormat = '';
  outputFormat = '';
  transcriptModel = '';
  /** For transcripts, which are paid apart from answers. */
  readonly spoken = new Spoken();
  readonly awaited = new Awaited();

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
        this.spoken.add(seconds);
        break;
      }
      case 'input_audio_buffer.commit':
        if (this.transcriptModel !== '') this.awaited.handedIn();
        break;
      case 'input_audio_buffer.clear':
        this.spoken.clear();
        break;
      case 'conversation.item.create':
        for (const text of itemTexts(event.item)) addText(this.input, text);
        break;
      case 'session.update':
        addText(this.input, textAt(event.session, 'instructions'));
        break;
    }
  }

  /** What was heard since the last turn. */
  take(): Readonly<Said> {
    const taken = this.input;
    this.input = nothingSaid();
    return taken;
  }
}

/** Who counts, and by whose table. */
type Counter = Readonly<{ counting: Counting; model: string; userId: UserId }>;

/** What one turn brought so far. */
export class Produced {
  private readonly output = nothingSaid();
  private outputTokens = 0;

  /** true when the event is a piece of an answer. */
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

  /** About how many, for money set aside while the turn runs. */
  get textTokens(): number {
    return this.outputTokens;
  }

  get audioTokens(): number {
    return this.output.seconds * outputTokensPerSecond;
  }

  /** Never fails: a turn that was made is paid, by a rule of thumb where nothing counts better. */
  async usage(input: Readonly<Said>, { counting, model, userId }: Counter): Promise<Usage> {
    const audioInputTokens = inputSoundTokens(input.seconds);
    const audioOutputTokens = Math.floor(this.audioTokens);
    const [asked, answered] = await Promise.all([
      counting.billedText({ text: input.text, model, userId }),
      counting.billedText({ text: this.output.text, model, userId }),
    ]);
    return usageOf({ asked, answered, audioInputTokens, audioOutputTokens });
  }
}

type Counts = Readonly<{
  asked: number;
  answered: number;
  audioInputTokens: number;
  audioOutputTokens: number;
}>;

const usageOf = ({ asked, answered, audioInputTokens, audioOutputTokens }: Counts): Usage => ({
  promptTokens: asked + audioInputTokens,
  completionTokens: answered + audioOutputTokens,
  cachedTokens: 0,
  cacheCreationTokens: 0,
  ...(audioInputTokens > 0 ? { audioInputTokens } : {}),
  ...(audioOutputTokens > 0 ? { audioOutputTokens } : {}),
});
