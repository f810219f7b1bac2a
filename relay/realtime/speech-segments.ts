import { type Fields, textAt } from './frames.ts';

/** Segments kept for their transcript; older ones are dropped. */
const maxPieces = 64;

const millis = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(value, 0) : 0;

/** Lengths of detected speech segments, for transcripts whose provider reports no usage. */
export class SpeechSegments {
  private readonly startsMs = new Map<string, number>();
  private readonly pieces = new Map<string, number>();
  private uncommitted = 0;
  private total = 0;

  add(seconds: number): void {
    this.uncommitted += seconds;
    this.total += seconds;
  }

  clear(): void {
    this.uncommitted = 0;
  }

  fromProvider(event: Fields, type: string): void {
    const item = textAt(event, 'item_id');
    switch (type) {
      case 'input_audio_buffer.speech_started':
        this.keep(this.startsMs, item, millis(event.audio_start_ms));
        break;
      case 'input_audio_buffer.speech_stopped': {
        const lengthMs = millis(event.audio_end_ms) - (this.startsMs.get(item) ?? 0);
        this.startsMs.delete(item);
        this.keep(this.pieces, item, millis(lengthMs) / 1_000);
        break;
      }
      case 'input_audio_buffer.committed':
        if (!this.pieces.has(item)) this.keep(this.pieces, item, this.uncommitted);
        this.uncommitted = 0;
        break;
    }
  }

  /** Seconds of that segment; at most the audio of the whole session. */
  take(item: string): number {
    const seconds = this.pieces.get(item) ?? 0;
    this.pieces.delete(item);
    return Math.min(seconds, this.total);
  }

  private keep(pieces: Map<string, number>, item: string, value: number): void {
    pieces.set(item, value);
    for (const oldest of pieces.keys()) if (pieces.size > maxPieces) pieces.delete(oldest);
  }
}
