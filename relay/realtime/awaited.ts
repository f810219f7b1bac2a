import { type Fields, isFields, textAt } from './frames.ts';

/** Kept apart; a provider that never answers must not fill the memory. */
const mostItems = 64;

const transcription = 'conversation.item.input_audio_transcription.';

/** Pieces of speech that were handed in, and that the provider has neither written down nor given up. */
export class Awaited {
  private readonly items = new Set<string>();
  /** Handed in by the caller; the provider has not said so yet. */
  private unheard = 0;

  /** Does a transcript come that nobody has paid for? */
  get isAny(): boolean {
    return this.unheard + this.items.size > 0;
  }

  handedIn(): void {
    this.unheard = Math.min(this.unheard + 1, mostItems);
  }

  /** `isWritten`: somebody writes down what is said. */
  fromProvider(event: Fields, type: string, isWritten: boolean): void {
    if (type === 'input_audio_buffer.committed') {
      this.heard();
      if (isWritten && this.items.size < mostItems) this.items.add(textAt(event, 'item_id'));
    } else if (type === 'error') {
      // What was handed in was empty.
      const code = isFields(event.error) ? textAt(event.error, 'code') : '';
      if (code.startsWith('input_audio_buffer_commit')) this.heard();
    } else if (type === `${transcription}completed` || type === `${transcription}failed`) {
      if (!this.items.delete(textAt(event, 'item_id'))) this.heard();
    }
  }

  private heard(): void {
    this.unheard = Math.max(0, this.unheard - 1);
  }
}
