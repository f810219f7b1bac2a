import type { Usage } from '../../domain/pricing/types.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import type { Counting } from '../settlement/counting.ts';
import { roughTokens } from '../settlement/rough-tokens.ts';

const maxText = 1_048_576;

/** Text, sound and pictures of one direction, as measured by this relay. */
export type SessionContent = Readonly<{
  text: string;
  audioTokens: number;
  imageTokens: number;
}>;

/** What a caller sent, for answers whose provider reports no usage. */
export interface InputMeter {
  /** Since the last answer; it stays for that answer's charge. */
  readonly sinceLast: SessionContent;
  /** The same, which counts no more. */
  take: () => SessionContent;
}

export const noContent: SessionContent = { text: '', audioTokens: 0, imageTokens: 0 };

/** Longer texts are cut, so that no session holds more memory than that. */
export const withText = (text: string, more: string): string =>
  text.length < maxText ? text + more.slice(0, maxText - text.length) : text;

/** What one answer holds so far. */
export class OutputMeter {
  private text = '';
  private roughText = 0;
  private sound = 0;
  private reportedSound = 0;

  addText(text: string): void {
    this.text = withText(this.text, text);
    this.roughText += roughTokens(text);
  }

  addSound(tokens: number): void {
    this.sound += tokens;
  }

  /** An estimate, for the reservation while the answer runs. */
  get textTokens(): number {
    return this.roughText;
  }

  get audioTokens(): number {
    return this.sound;
  }

  /** What no report of usage covers. */
  get content(): SessionContent {
    const audioTokens = Math.floor(this.sound - this.reportedSound);
    return { text: this.text, audioTokens, imageTokens: 0 };
  }

  /** A report of usage covers what there is so far. */
  reported(): void {
    this.text = '';
    this.reportedSound = this.sound;
  }
}

/** Counts tokens of a text by the table of a model. */
type Counter = Readonly<{ counting: Counting; model: string; userId: UserId }>;

/** Never fails: where no table counts, a rough estimate is charged. */
export const measuredUsage = async (
  input: SessionContent,
  output: SessionContent,
  { counting, model, userId }: Counter,
): Promise<Usage> => {
  const [promptTokens, completionTokens] = await Promise.all([
    counting.billedText({ text: input.text, model, userId }),
    counting.billedText({ text: output.text, model, userId }),
  ]);
  const { audioTokens: audioInputTokens, imageTokens: imageInputTokens } = input;
  const { audioTokens: audioOutputTokens } = output;
  return {
    promptTokens: promptTokens + audioInputTokens + imageInputTokens,
    completionTokens: completionTokens + audioOutputTokens,
    cachedTokens: 0,
    cacheCreationTokens: 0,
    ...(audioInputTokens > 0 ? { audioInputTokens } : {}),
    ...(imageInputTokens > 0 ? { imageInputTokens } : {}),
    ...(audioOutputTokens > 0 ? { audioOutputTokens } : {}),
  };
};

const sumAt = (
  name: 'audioInputTokens' | 'imageInputTokens' | 'audioOutputTokens',
  [one, other]: readonly [Usage, Usage],
): Partial<Usage> => {
  const sum = (one[name] ?? 0) + (other[name] ?? 0);
  return sum > 0 ? { [name]: sum } : {};
};

/** The usage of a report, and what was measured since then. */
export const withMeasured = (reported: Usage, measured: Usage): Usage => ({
  ...reported,
  promptTokens: reported.promptTokens + measured.promptTokens,
  completionTokens: reported.completionTokens + measured.completionTokens,
  ...sumAt('audioInputTokens', [reported, measured]),
  ...sumAt('imageInputTokens', [reported, measured]),
  ...sumAt('audioOutputTokens', [reported, measured]),
});
