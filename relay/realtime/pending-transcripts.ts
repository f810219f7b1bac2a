import { type Fields, textAt } from './frames.ts';

/** Bound for providers that never answer. */
const maxItems = 64;

const transcription = 'conversation.item.input_audio_transcription.';
const transcriptEnds: ReadonlySet<string> = new Set([
  `${transcription}completed`,
  `${transcription}failed`,
]);

/** The refusal of a commit without audio. */
const isEmptyCommit = ({ error }: Fields): boolean =>
  textAt(error, 'code').startsWith('input_audio_buffer_commit');

/** Committed input audio whose transcript has neither completed nor failed. */
export class PendingTranscripts {
  private readonly items = new Set<string>();
  /** Committed by the caller and not yet acknowledged by the provider. */
  private unacknowledged = 0;

  /** A transcript is still expected and to be charged. */
  get isAny(): boolean {
    return this.unacknowledged + this.items.size > 0;
  }

  committed(): void {
    this.unacknowledged = Math.min(this.unacknowledged + 1, maxItems);
  }

  /** `isTranscribed`: the session has a transcription model. */
  fromProvider(event: Fields, type: string, isTranscribed: boolean): void {
    if (type === 'input_audio_buffer.committed') {
      this.acknowledge();
      if (isTranscribed && this.items.size < maxItems) this.items.add(textAt(event, 'item_id'));
    } else if (type === 'error') {
      if (isEmptyCommit(event)) this.acknowledge();
    } else if (transcriptEnds.has(type) && !this.items.delete(textAt(event, 'item_id'))) {
      this.acknowledge();
    }
  }

  private acknowledge(): void {
    this.unacknowledged = Math.max(0, this.unacknowledged - 1);
  }
}
