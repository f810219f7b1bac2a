import type { JsonObject } from '../canonical.ts';
import { textAt } from '../json.ts';
import { addItem, endItem, type ItemPlace, type ItemStatus, type OpenItem } from './events.ts';
import { hasProofs, sealedProofs } from './reasoning.ts';

/** A model's reasoning, and what its provider requires back of it. */
export class ReasoningItem implements OpenItem {
  private readonly place: ItemPlace;
  private thought = '';
  private readonly details = new Map<unknown, JsonObject>();
  private readonly calls: Record<string, unknown> = {};
  private textProof: unknown;

  constructor(place: ItemPlace) {
    this.place = place;
    addItem(place, { id: place.id, type: 'reasoning', summary: [] });
  }

  think(delta: string): void {
    if (this.thought === '') {
      this.emit('reasoning_summary_part.added', { part: { type: 'summary_text', text: '' } });
    }
    this.thought += delta;
    this.emit('reasoning_summary_text.delta', { delta });
  }

  /** Streams send a signed thought in pieces of one index. */
  prove({ index, ...detail }: JsonObject): void {
    const key = index ?? this.details.size;
    const known = this.details.get(key) ?? {};
    const text = textAt(known, 'text') + textAt(detail, 'text');
    this.details.set(key, { ...known, ...detail, ...(text === '' ? {} : { text }) });
  }

  proveCall(callId: string, signature: unknown): void {
    this.calls[callId] = signature;
  }

  proveText(signature: unknown): void {
    this.textProof = signature;
  }

  close(_status: ItemStatus): JsonObject {
    const { id } = this.place;
    const part = { type: 'summary_text', text: this.thought };
    if (this.thought !== '') {
      this.emit('reasoning_summary_text.done', { text: this.thought });
      this.emit('reasoning_summary_part.done', { part });
    }
    const proofs = { details: [...this.details.values()], calls: this.calls, text: this.textProof };
    const summary = this.thought === '' ? [] : [part];
    const item = { id, type: 'reasoning', summary };
    return endItem(
      this.place,
      hasProofs(proofs) ? { ...item, encrypted_content: sealedProofs(proofs) } : item,
    );
  }

  private emit(type: string, members: JsonObject): void {
    const { events, id, index } = this.place;
    events.emit(type, { item_id: id, output_index: index, summary_index: 0, ...members });
  }
}
