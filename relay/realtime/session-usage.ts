import { type Fields, isFields, textAt } from './frames.ts';
import { PendingTranscripts } from './pending-transcripts.ts';
import {
  type InputMeter,
  noContent,
  type OutputMeter,
  type SessionContent,
  withText,
} from './session-content.ts';
import { SpeechSegments } from './speech-segments.ts';

/** Tokens for a second of audio: 100 for each 0.06, 200 for each 0.24 of a minute's price. */
const inputTokensPerSecond = 100 / 0.06 / 60;
const outputTokensPerSecond = 200 / 0.24 / 60;

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

const itemTexts = (item: unknown): readonly string[] => {
  if (!isFields(item)) return [];
  const { content } = item;
  const parts = Array.isArray(content) ? content.map((part) => textAt(part, 'text')) : [];
  return [...parts, textAt(item, 'output')];
};

/** Input of a session, for responses whose provider reports no usage. */
export class SessionInput implements InputMeter {
  private text = '';
  private seconds = 0;
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
        this.seconds += seconds;
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
        for (const text of itemTexts(event.item)) this.text = withText(this.text, text);
        break;
      case 'session.update':
        this.text = withText(this.text, textAt(event.session, 'instructions'));
        break;
    }
  }

  get sinceLast(): SessionContent {
    return { ...noContent, text: this.text, audioTokens: inputAudioTokens(this.seconds) };
  }

  take(): SessionContent {
    const taken = this.sinceLast;
    this.text = '';
    this.seconds = 0;
    return taken;
  }
}

/** Adds what an event holds of an answer; false: it is no delta of one. */
export const readDelta = (
  output: OutputMeter,
  { event, format }: Readonly<{ event: Fields; format: string }>,
): boolean => {
  const type = textAt(event, 'type');
  if (!type.startsWith('response.') || !type.endsWith('.delta')) return false;
  const delta = textAt(event, 'delta');
  if (type.endsWith('audio.delta')) {
    output.addSound(secondsOf(delta, format) * outputTokensPerSecond);
  } else output.addText(delta);
  return true;
};
